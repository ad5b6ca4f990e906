import Download
import Media
import Pipeline
import TestSupport
import Testing

@Suite struct SettingsTests {
  private static let whole = """
    {"profiles": {"hero": {"box": "600x315@2", "fit": "cover", "stillBudget": "300kB",
      "animatedBudget": 2000000}, "thumb": {"box": "200x200"}},
     "categories": [{"identifier": "article", "actions": [{"identifier": "save", "title": "Save",
      "foreground": true}, {"identifier": "reply", "title": "Reply",
      "textInput": {"buttonTitle": "Send", "placeholder": "Your note"}}]}], "$schema": "settings.schema.json"}
    """

  private func settings(_ text: String) throws -> Settings {
    try Settings(reading: Array(text.utf8))
  }

  @Test("Profiles have points times scale, budgets and fit; built-in names may be taken")
  func profiles() throws {
    let settings = try settings(Self.whole)
    let hero = try #require(settings.profile(named: "hero"))
    #expect(hero.box == PixelSize(width: 1200, height: 630))
    #expect(hero.fit == .cover)
    #expect(hero.stillBudget == 300_000)
    #expect(hero.animatedBudget == 2_000_000)
    #expect(settings.profile(named: "thumb")?.box == PixelSize(width: 200, height: 200))
    #expect(settings.profile(named: "iphone") == .iphone)
    #expect(settings.profile(named: "400x300@2")?.box == PixelSize(width: 800, height: 600))
    #expect(settings.profile(named: "tv") == nil)
  }

  @Test("Actions have every key in the manifest") func categories() throws {
    let actions = try #require(try settings(Self.whole).category("article")).actions
    #expect(
      actions.map(\.text) == [
        #"{"identifier":"save","title":"Save","destructive":false,"foreground":true,"authenticationRequired":false,"textInput":null}"#,
        #"{"identifier":"reply","title":"Reply","destructive":false,"foreground":false,"authenticationRequired":false,"textInput":{"buttonTitle":"Send","placeholder":"Your note"}}"#,
      ])
  }

  @Test("The nearest rule counts for a host") func hosts() throws {
    let hosts = try settings(
      #"{"hosts": {"a.example": {"maxConcurrency": 2, "timeout": "10s"}, "*.example": {"minFreshness": "5m"}, "*.b.example": {"allowed": false}, "*": {"maxFreshness": "1d"}, "Bücher.test": {"allowed": false}}}"#
    ).hosts
    #expect(hosts.rule(for: "a.example").concurrency == 2)
    #expect(hosts.rule(for: "a.example").timeout == .seconds(10))
    #expect(hosts.rule(for: "a.example").leastFreshness == nil)
    #expect(hosts.rule(for: "x.y.example").leastFreshness == .seconds(300))
    #expect(hosts.rule(for: "b.example").isAllowed)
    #expect(!hosts.rule(for: "x.b.example").isAllowed)
    #expect(!hosts.rule(for: "xn--bcher-kva.test").isAllowed)
    #expect(hosts.rule(for: "other.test").mostFreshness == .seconds(86_400))
    #expect(try settings("{}").hosts.rule(for: "a.example").isAllowed)
  }

  @Test(
    "What is wrong is named by its place",
    arguments: [
      ("[]", "object"), ("{", "line 1"), (#"{"profiles": []}"#, "profiles"),
      (#"{"profiles": {"a": {"box": "10"}}}"#, "profiles.a.box"),
      (#"{"profiles": {"a": {"box": "10x10", "fit": "fill"}}}"#, "profiles.a.fit"),
      (#"{"profiles": {"a": {"box": "10x10", "stillBudget": "much"}}}"#, "profiles.a.stillBudget"),
      (#"{"categories": [{}]}"#, "identifier"),
      (#"{"categories": [{"identifier": "c", "actions": [{"identifier": "a"}]}]}"#, "categories.c"),
      (
        #"{"categories": [{"identifier": "c", "actions": [{"identifier": "a", "title": "A", "foreground": 1}]}]}"#,
        "categories.c.a.foreground"
      ),
      (
        #"{"categories": [{"identifier": "c", "actions": [{"identifier": "a", "title": "A", "textInput": {"placeholder": 1}}]}]}"#,
        "categories.c.a.textInput.placeholder"
      ),
      (#"{"hosts": []}"#, "hosts"), (#"{"hosts": {"a/b": {}}}"#, "hosts.a/b"),
      (#"{"hosts": {"a*": {}}}"#, "hosts.a*"),
      (#"{"hosts": {"a": {"allowed": 1}}}"#, "hosts.a.allowed"),
      (#"{"hosts": {"a": {"maxConcurrency": 0}}}"#, "hosts.a.maxConcurrency"),
      (#"{"hosts": {"a": {"timeout": 5}}}"#, "hosts.a.timeout"),
      (
        #"{"hosts": {"a": {"minFreshness": "2h", "maxFreshness": "1h"}}}"#, "hosts.a.minFreshness"
      ),
    ])
  func failures(text: String, place: String) throws {
    let failure = #expect(throws: SettingsFailure.self) { _ = try settings(text) }
    #expect(failure?.message.contains(place) == true, "\(failure?.message ?? "")")
  }

  private static let typos = [
    (#"{"host": {"a": {"allowed": false}}}"#, "unknown key 'host'"),
    (#"{"hosts": {"x": {"alowed": false}}}"#, "hosts.x: unknown key 'alowed'"),
    (#"{"profiles": {"hero": {"boxx": "9x9"}}}"#, "hero: box is missing; unknown key 'boxx'"),
    (#"{"profiles": {"hero": {"box": "9x9", "fitt": 1}}}"#, "hero: unknown key 'fitt'"),
    (#"{"categories": [{"identifier": "c", "action": []}]}"#, "c: unknown key 'action'"),
    (
      #"{"categories": [{"identifier": "c", "actions": [{"identifier": "a", "title": "A", "b": 1}]}]}"#,
      "c.a: unknown key 'b'"
    ),
    (
      #"{"categories": [{"identifier": "c", "actions": [{"identifier": "a", "title": "A", "textInput": {"hint": "x"}}]}]}"#,
      "c.a.textInput: unknown key 'hint'"
    ),
  ]

  @Test("A key that is unknown is refused by its place, and by the schema")
  func typos() async throws {
    for (text, message) in Self.typos {
      let failure = #expect(throws: SettingsFailure.self) { _ = try settings(text) }
      #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    }
    let documents = Self.typos.map(\.0)
    guard let verdicts = try await SchemaTests.verdicts("settings", documents) else { return }
    #expect(!verdicts.contains("ok"))
  }

  @Test("The schema takes what the reader takes, and refuses what it refuses") func schema()
    async throws
  {
    let documents = [
      Self.whole.replacing("\n", with: " "), "{}",
      #"{"profiles": {"a": {"box": "10"}}}"#, #"{"categories": [{}]}"#,
      #"{"hosts": {"*.a.example": {"timeout": "5s", "allowed": true}, "*": {}}}"#,
      #"{"hosts": {"a/b": {}}}"#, #"{"hosts": {"a": {"maxConcurrency": 0}}}"#,
    ]
    guard let verdicts = try await SchemaTests.verdicts("settings", documents) else { return }
    #expect(verdicts.map { $0 == "ok" } == [true, true, false, false, true, false, false])
  }
}
