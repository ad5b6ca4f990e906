import Download
import Testing

struct HostRulesTests {
  @Test(
    "A host is the same with the root's dot and without it",
    arguments: ["ads.test", "ads.test.", "a.wild.test", "a.wild.test.", "b.a.wild.test."])
  func root(host: String) {
    var forbidden = HostRule()
    forbidden.isAllowed = false
    for patterns in [["ads.test", "*.wild.test"], ["ads.test.", "*.wild.test."]] {
      var rules = HostRules()
      for pattern in patterns {
        let isTaken = rules.set(forbidden, for: pattern)
        #expect(isTaken)
      }
      #expect(!rules.rule(for: host).isAllowed)
      #expect(rules.rule(for: "other.test.").isAllowed)
      #expect(rules.rule(for: "wild.test").isAllowed)
    }
  }
}
