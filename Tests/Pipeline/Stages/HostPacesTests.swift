import Media
import Pipeline
import Testing

/// How long a download may take before another is tried beside it.
struct HostPacesTests {
  @Test("Of an unknown host a quarter of the time left is waited for, three seconds at most")
  func unknown() {
    let paces = HostPaces()
    #expect(paces.patience(with: "a.example", of: .seconds(8)) == .seconds(2))
    #expect(paces.patience(with: "a.example", of: .seconds(60)) == .seconds(3))
    #expect(paces.patience(with: "a.example", of: .milliseconds(400)) == .milliseconds(300))
  }

  @Test("A host is waited for twice as long as most of its downloads take")
  func usual() {
    let paces = HostPaces()
    for _ in 0..<200 { paces.note("slow.example", .seconds(4)) }
    for _ in 0..<200 { paces.note("quick.example", .milliseconds(10)) }
    let slow = paces.patience(with: "slow.example", of: .seconds(30))
    #expect(slow > .seconds(7) && slow <= .seconds(8), "\(slow)")
    #expect(paces.patience(with: "quick.example", of: .seconds(30)) == .milliseconds(300))
    #expect(paces.patience(with: "other.example", of: .seconds(30)) == .seconds(3))
  }

  @Test("A bounded number of hosts is known, the oldest is forgotten first")
  func bounded() {
    let paces = HostPaces()
    for number in 0..<2000 { paces.note("host\(number).example", .seconds(9)) }
    #expect(paces.patience(with: "host0.example", of: .seconds(4)) == .seconds(1))
    #expect(paces.patience(with: "host1999.example", of: .seconds(4)) > .seconds(17))
  }
}
