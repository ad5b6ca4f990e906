import Download
import Files
import Media
import Origin
import Synchronization
import Testing

@Suite("Fetching a body", .timeLimit(.minutes(15)))
struct FetchTests {
  private let origin: OriginServer
  private let fetch: Fetch

  init() throws {
    origin = try OriginServer()
    fetch = try Fetch(origin)
  }

  @Test("A plain body arrives whole, with what a cache must know")
  func plainBody() async throws {
    let path = "/a.png?size=70000&etag=%22v1%22&cache=max-age%3D60&vary=Accept"
    let result = try await fetch.run(path) { $0.accept = "image/avif,image/*" }
    let response = try result.response.get()
    #expect(response.status == 200)
    #expect(response.byteCount == 70_000)
    #expect(result.bytes == OriginServer.picture(70_000))
    #expect(response.headers["ETag"] == "\"v1\"")
    #expect(response.headers["cache-control"] == "max-age=60")
    #expect(response.headers["Content-Type"] == "image/png")
    #expect(response.headers["Content-Length"] == "70000")
    #expect(response.headers["Vary"] == "Accept")
    #expect(response.finalAddress.description == origin.url(path))
    #expect(response.redirects.isEmpty)
    #expect(response.retries == 0)
    #expect(response.timing.total > .zero)
  }

  @Test("The request tells who we are and nothing else")
  func requestFields() async throws {
    _ = try await fetch.run("/a") { $0.accept = "image/avif,image/*" }.response.get()
    let headers = try #require(origin.requests.first?.headers)
    #expect(headers["user-agent"] == "Wirephoto/1.0 (+https://example.org; bot)")
    #expect(headers["accept"] == "image/avif,image/*")
    #expect(Set(headers.keys) == ["host", "user-agent", "accept"])
  }

  @Test("A chunked body arrives whole")
  func chunked() async throws {
    let result = try await fetch.run("/a?chunked&size=200000")
    #expect(try result.response.get().byteCount == 200_000)
    #expect(result.bytes == OriginServer.picture(200_000))
  }

  @Test("A watcher that has enough ends the transfer there", arguments: ["", "&chunked"])
  func enough(shape: String) async throws {
    // The origin never sends the second half.
    let result = try await fetch.run("/a?size=100000&stall=60\(shape)") {
      $0.watcher = { bytes, offset, declared in
        #expect(declared == (shape.isEmpty ? 100_000 : nil))
        return offset + bytes.count >= 50_000 ? 50_000 : nil
      }
    }
    let response = try result.response.get()
    #expect(response.isBeginning)
    #expect(response.byteCount == 50_000)
    #expect(result.bytes == Array(OriginServer.picture(100_000).prefix(50_000)))
  }

  @Test("A watcher sees a second try from its start, and what it never ends is whole")
  func watchedRetry() async throws {
    let offsets = Mutex<[Int]>([])
    let result = try await fetch.run("/a?size=20000&close=70&fail=1") {
      $0.watcher = { _, offset, _ in
        offsets.withLock { $0.append(offset) }
        return nil
      }
    }
    let response = try result.response.get()
    #expect(!response.isBeginning)
    #expect(response.byteCount == 20_000)
    #expect(offsets.withLock { $0.count { $0 == 0 } } == 2)
  }

  @Test("An empty body is a body")
  func empty() async throws {
    #expect(try await fetch.run("/a?size=0").response.get().byteCount == 0)
  }

  @Test("Connections are used again")
  func reuse() async throws {
    for _ in 0..<5 { _ = try await fetch.run("/a").response.get() }
    #expect(origin.requests.count == 5)
    #expect(origin.connections.count == 1)
  }

  @Test("No more than the limit are in flight to one host, and all arrive")
  func perHostLimit() async throws {
    let fetch = fetch
    let count = await withTaskGroup { group in
      for _ in 0..<30 {
        group.addTask { (try? await fetch.run("/a?delay=20").response.get()) != nil ? 1 : 0 }
      }
      return await group.reduce(0, +)
    }
    #expect(count == 30)
    #expect(origin.connections.count <= 6)
  }

  @Test("A slow transfer holds no other")
  func independence() async throws {
    async let slow = fetch.run("/slow?silent", within: .seconds(3))
    let quick = try await fetch.run("/quick", within: .seconds(3))
    #expect(quick.failure == nil)
    #expect(try await slow.failure == .downloadTimeout(received: 0))
  }

  @Test("A conditional request that is still good gives 304 and no body")
  func notModified() async throws {
    let etag = try await fetch.run("/a?etag=%22v1%22") {
      $0.validators = .init(etag: "\"v1\"")
    }
    #expect(try etag.response.get().status == 304)
    #expect(try etag.response.get().headers["etag"] == "\"v1\"")
    #expect(etag.bytes.isEmpty)
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    let dated = try await fetch.run("/a?modified=Sun,%2006%20Nov%201994%2008:49:37%20GMT") {
      $0.validators = .init(lastModified: date)
    }
    #expect(try dated.response.get().status == 304)
    let changed = try await fetch.run("/a?etag=%22v2%22") { $0.validators = .init(etag: "\"v1\"") }
    #expect(try changed.response.get().status == 200)
    #expect(changed.bytes == OriginServer.picture(10_000))
  }

  @Test("A 304 that nobody asked for is a failure")
  func uninvited() async throws {
    #expect(try await fetch.run("/a?status=304").failure == .httpStatus(304, retryAfter: nil))
  }

  @Test("A stored validator cannot smuggle in a header field")
  func injection() async throws {
    _ = try await fetch.run("/a") { $0.validators = .init(etag: "\"v\"\r\nX-Evil: 1") }
    let headers = try #require(origin.requests.first?.headers)
    #expect(headers["x-evil"] == nil)
    #expect(headers["if-none-match"] == "\"v\"X-Evil: 1")
  }

  @Test("The sniffer sees the first bytes once, and the declared type")
  func sniffer() async throws {
    let seen = Mutex<[(count: Int, type: String?)]>([])
    for (size, expected) in [(100_000, 4096), (4096, 4096), (4095, 4095), (10, 10), (0, 0)] {
      _ = try await fetch.run("/a?size=\(size)&type=image/webp") {
        $0.sniffer = { prefix, type in
          #expect(prefix == Array(OriginServer.picture(size).prefix(4096)))
          seen.withLock { $0.append((prefix.count, type)) }
          return nil
        }
      }.response.get()
      let calls = seen.withLock { seen in
        defer { seen = [] }
        return seen
      }
      #expect(calls.map(\.count) == [expected])
      #expect(calls.first?.type == "image/webp")
    }
  }

  @Test("A sniffer's problem stops the transfer")
  func sniffed() async throws {
    let problem = Problem(.download, .notMedia, "a page")
    for path in ["/a?html", "/a?endless"] {
      let result = try await fetch.run(path) { $0.sniffer = { _, _ in problem } }
      #expect(result.failure == .refused(problem))
    }
  }

  @Test("A cancelled task ends its transfer at once")
  func cancellation() async throws {
    let fetch = fetch
    let task = Task { try await fetch.run("/a?silent", within: .seconds(60)) }
    while origin.requests.isEmpty { await Task.yield() }
    task.cancel()
    #expect(try await task.value.failure == .cancelled)
  }

  @Test("A task that was cancelled before it began fetches nothing")
  func cancelledEarly() async throws {
    let fetch = fetch
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await fetch.run("/a")
    }
    task.cancel()
    #expect(try await task.value.failure == .cancelled)
    #expect(origin.requests.isEmpty)
  }

  @Test("A deadline in the past fetches nothing")
  func overdue() async throws {
    let result = try await fetch.run("/a", within: .zero)
    #expect(result.failure == .downloadTimeout(received: 0))
    #expect(origin.requests.isEmpty)
  }

  @Test("On a full disk a download goes on in memory, and is not tried again")
  func fullDisk() async throws {
    let full = try Descriptor.open("/dev/full", flags: 1)
    let address = try #require(WebAddress(origin.url("/a")))
    let response = try await fetch.downloader.fetch(
      DownloadRequest(address, deadline: .after(.seconds(20))), into: full.number)
    #expect(response.byteCount > 0)
    #expect(try full.size() == response.byteCount)
    #expect(origin.requests.count == 1)
  }

  @Test("Callers waiting when the downloader ends are answered")
  func ending() async throws {
    let origin = origin
    let task: Task<DownloadFailure?, any Error>
    do {
      let downloader = try Downloader(Fetch.options())
      let address = try #require(WebAddress(origin.url("/a?silent")))
      task = Task {
        let file = try MemoryFile.create("body")
        do throws(DownloadFailure) {
          _ = try await downloader.fetch(
            DownloadRequest(address, deadline: .after(.milliseconds(300))), into: file.number)
          return nil
        } catch {
          return error
        }
      }
    }
    #expect(try await task.value == .downloadTimeout(received: 0))
  }
}
