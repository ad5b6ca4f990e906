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
      "textInput": {"buttonTitle": "Send", "placeholder": "Your note"}}]}], "future": 1}
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
    ])
  func failures(text: String, place: String) throws {
    let failure = #expect(throws: SettingsFailure.self) { _ = try settings(text) }
    #expect(failure?.message.contains(place) == true, "\(failure?.message ?? "")")
  }

  @Test("The schema takes what the reader takes, and refuses what it refuses") func schema()
    async throws
  {
    let documents = [
      Self.whole.replacing("\n", with: " "), "{}",
      #"{"profiles": {"a": {"box": "10"}}}"#, #"{"categories": [{}]}"#,
    ]
    guard let verdicts = try await SchemaTests.verdicts("settings", documents) else { return }
    #expect(verdicts.map { $0 == "ok" } == [true, true, false, false])
  }
}
