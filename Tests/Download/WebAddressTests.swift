import Download
import Testing

@Suite("Addresses as browsers read them", .timeLimit(.minutes(15)))
struct WebAddressTests {
  @Test("Each spelling has the one normal form", arguments: AddressTable.accepted)
  func accepted(_ row: AddressTable.Row) throws {
    let address = try #require(WebAddress(row.spelling), "\(row.spelling)")
    #expect(address.description == row.expected)
  }

  @Test("What no browser fetches over http is refused", arguments: AddressTable.refused)
  func refused(_ spelling: String) {
    #expect(WebAddress(spelling) == nil)
  }

  @Test("A normal form stays as it is", arguments: AddressTable.accepted)
  func idempotent(_ row: AddressTable.Row) {
    #expect(WebAddress(row.expected)?.description == row.expected)
  }

  @Test("References resolve against the page's address", arguments: AddressTable.references)
  func resolves(_ row: AddressTable.Reference) throws {
    let base = try #require(WebAddress(row.base))
    #expect(base.resolve(row.reference)?.description == row.expected, "\(row.reference)")
  }

  @Test("The tables are as large as they should be")
  func size() {
    #expect(AddressTable.accepted.count + AddressTable.refused.count >= 120)
  }

  @Test("Parts are those of the normal form")
  func parts() throws {
    let address = try #require(WebAddress("HTTPS://Bücher.Example:8443/a?b=c#d"))
    #expect(address.scheme == "https")
    #expect(address.isSecure)
    #expect(address.host == "xn--bcher-kva.example")
    #expect(address.port == 8443)
    #expect(address.redacted == "https://xn--bcher-kva.example:8443/a?[redacted]")
    let plain = try #require(WebAddress("http://[::1]/"))
    #expect(plain.host == "::1")
    #expect(plain.port == 80)
    #expect(plain.literal == IPAddress("::1"))
    #expect(plain.redacted == "http://[::1]/")
  }

  @Test("An address longer than the limit is refused, before and after encoding")
  func length() {
    let limit = WebAddress.maximumLength
    let start = "http://a.example/"
    let longest = start + String(repeating: "x", count: limit - start.utf8.count)
    #expect(WebAddress(longest)?.description == longest)
    #expect(WebAddress(longest + "x") == nil)
    #expect(WebAddress(start + String(repeating: "é", count: limit / 4)) == nil)
  }

  @Test("A Location field may hold bytes of any encoding")
  func foreignBytes() throws {
    let base = try #require(WebAddress("http://a.example/x/y"))
    let latin1: [UInt8] = Array("/caf".utf8) + [0xe9]
    #expect(base.resolve(bytes: latin1)?.description == "http://a.example/caf%E9")
    #expect(WebAddress(bytes: Array("http://caf".utf8) + [0xe9] + Array(".fr/".utf8)) == nil)
  }

  @Test("The origin is scheme, host and port")
  func origin() throws {
    let address = try #require(WebAddress("https://a.example/x"))
    for (other, isSame) in [
      ("https://a.example:443/y", true), ("https://A.example", true), ("http://a.example", false),
      ("https://b.example", false), ("https://a.example:8443", false),
    ] {
      #expect(try address.hasSameOrigin(as: #require(WebAddress(other))) == isSame, "\(other)")
    }
  }
}
