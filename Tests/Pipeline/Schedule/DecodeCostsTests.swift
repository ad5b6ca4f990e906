import Media
import Pipeline
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(15)))
struct DecodeCostsTests {
  private let photo = DecodeSubject(.jpeg, pixels: 12_000_000, bytes: 4_000_000)
  private let drawing = DecodeSubject(.png, pixels: 1_000_000, bytes: 200_000)

  private func usual(_ costs: DecodeCosts, _ subject: DecodeSubject) -> Double {
    costs.estimate(of: subject).usual / .milliseconds(1)
  }

  @Test("Before anything is measured estimates grow with pixels and bytes, and are sane")
  func priors() {
    let costs = DecodeCosts()
    for coding in DecodeSubject.Coding.allCases {
      let small = DecodeSubject(coding, pixels: 300_000, bytes: 50_000)
      let large = DecodeSubject(coding, pixels: 24_000_000, bytes: 10_000_000)
      #expect(usual(costs, small) >= 5 && usual(costs, small) <= 200)
      #expect(usual(costs, large) >= usual(costs, small))
      #expect(usual(costs, large) < 2000)
      #expect(costs.estimate(of: large).cautious > costs.estimate(of: large).usual)
    }
  }

  @Test("Estimates come to what decodes take, the cautious one to what few exceed")
  func learning() {
    var costs = DecodeCosts()
    for number in 0..<300 {
      costs.note(.milliseconds(80 + number * 37 % 41), for: photo)
    }
    let estimate = costs.estimate(of: photo)
    #expect(estimate.usual > .milliseconds(90) && estimate.usual < .milliseconds(110))
    #expect(estimate.cautious > .milliseconds(108) && estimate.cautious < .milliseconds(130))
    // A picture of another size of the same class, by its megapixels and bytes.
    let smaller = DecodeSubject(.jpeg, pixels: 9_000_000, bytes: 3_000_000)
    let share = usual(costs, smaller) / usual(costs, photo)
    #expect(share > 0.6 && share < 1)
  }

  @Test("What was never measured follows the machine, half as fast as supposed")
  func machine() {
    var costs = DecodeCosts()
    let before = costs
    for _ in 0..<100 { costs.note(before.estimate(of: photo).usual * 2, for: photo) }
    let ratio = usual(costs, drawing) / usual(before, drawing)
    #expect(ratio > 1.8 && ratio < 2.2, "\(ratio)")
  }

  @Test("Classes are told apart by coding, size and what is wanted")
  func classes() {
    let subjects = [
      photo, drawing, DecodeSubject(.progressiveJPEG, pixels: 12_000_000, bytes: 4_000_000),
      DecodeSubject(.jpeg, pixels: 2_000_000, bytes: 4_000_000),
      DecodeSubject(.jpeg, pixels: 12_000_000, bytes: 4_000_000, isForSmall: true),
    ]
    #expect(Set(subjects.map { DecodeCosts.Class($0) }).count == subjects.count)
    let magnitudes = [0, 1, 249_999, 250_000, 1_000_000, 16_000_000, 100_000_000, .max].map {
      DecodeCosts.Class(DecodeSubject(.png, pixels: $0, bytes: 0)).magnitude
    }
    #expect(magnitudes == [-2, -2, -2, -2, 0, 4, 6, 7])
  }

  @Test("Pictures made to be slow move an estimate little by little, and not for ever")
  func outliers() {
    var costs = DecodeCosts()
    for _ in 0..<100 { costs.note(.milliseconds(40), for: photo) }
    let before = costs
    costs.note(.seconds(3600), for: photo)
    #expect(usual(costs, photo) < usual(before, photo) * 1.1)
    #expect(costs.estimate(of: photo).cautious < before.estimate(of: photo).cautious * 1.1)
    for _ in 0..<1000 { costs.note(.seconds(3600), for: photo) }
    #expect(usual(costs, photo) <= usual(DecodeCosts(), photo) * 16.001)
    #expect(usual(costs, drawing) <= usual(DecodeCosts(), drawing) * 16.001)
    for _ in 0..<200 { costs.note(.milliseconds(40), for: photo) }
    #expect(usual(costs, photo) < 50)
  }

  @Test("The first picture of a class is not believed further than four times from the machine's")
  func first() {
    var costs = DecodeCosts()
    costs.note(.seconds(100), for: photo)
    #expect(usual(costs, photo) <= usual(DecodeCosts(), photo) * 4.5)
  }

  @Test("What is refused for its estimate comes back to what the machine does otherwise")
  func refusals() {
    var costs = DecodeCosts()
    for _ in 0..<300 { costs.note(.milliseconds(20), for: drawing) }
    for _ in 0..<40 { costs.note(.seconds(2), for: photo) }
    for _ in 0..<300 { costs.note(.milliseconds(20), for: drawing) }
    #expect(usual(costs, photo) > 200)
    for _ in 0..<400 { costs.noteRefusal(of: photo) }
    #expect(usual(costs, photo) < usual(DecodeCosts(), photo) * 2)
  }

  @Test("Estimates that are too high for everything fade while nothing is begun because of them")
  func fadingMachine() {
    for classes in [[:], [DecodeCosts.Class(photo): DecodeCosts.Ratio(usual: 10, cautious: 16)]] {
      var costs = DecodeCosts(
        machine: DecodeCosts.Ratio(usual: 10, cautious: 16), classes: classes)
      for _ in 0..<600 { costs.noteRefusal(of: photo) }
      #expect(usual(costs, photo) < usual(DecodeCosts(), photo) * 2)
    }
    // What is quick stays so.
    var quick = DecodeCosts(machine: DecodeCosts.Ratio(usual: 0.5, cautious: 1))
    let before = usual(quick, photo)
    for _ in 0..<600 { quick.noteRefusal(of: photo) }
    #expect(usual(quick, photo) == before)
  }

  @Test("Costs that cannot be kept leave nothing behind")
  func unkept() throws {
    let jobs = try Jobs.make()
    try jobs.temporary.makeFolder(".costs.json")
    KeptCosts(jobs.directory).write(
      PublicationCost(first: .milliseconds(5), each: .milliseconds(1)), DecodeCosts())
    #expect(try jobs.temporary.names(in: "").filter { $0.hasPrefix(".costs") } == [".costs.json"])
  }

  @Test("A decode that was ended early tells only that it takes longer")
  func censored() {
    var costs = DecodeCosts()
    for _ in 0..<100 { costs.note(.milliseconds(100), for: photo) }
    let before = costs
    costs.note(.milliseconds(10), for: photo, isAtLeast: true)
    #expect(costs == before)
    costs.note(.seconds(1), for: photo, isAtLeast: true)
    #expect(usual(costs, photo) > usual(before, photo))
  }

  @Test("What is known is kept in the job directory; what makes no sense there is left out")
  func kept() throws {
    let jobs = try Jobs.make()
    let kept = KeptCosts(jobs.directory)
    #expect(kept.readDecoding() == nil)
    var costs = DecodeCosts()
    for _ in 0..<50 {
      costs.note(.milliseconds(70), for: photo)
      costs.note(.milliseconds(9), for: drawing)
    }
    kept.write(PublicationCost(first: .milliseconds(5), each: .milliseconds(1)), costs)
    let read = try #require(kept.readDecoding())
    #expect(read.classes.count == 2)
    for subject in [photo, drawing] {
      #expect(abs(usual(read, subject) / usual(costs, subject) - 1) < 0.01)
    }
    let machine = #""machine":{"usual":1,"cautious":2}"#
    for (text, count) in [
      (#"{"decoding":{\#(machine),"classes":{"jpeg 3 large":{"usual":2,"cautious":3}}}}"#, 1),
      (#"{"decoding":{\#(machine),"classes":{"jpeg 9 large":{"usual":2,"cautious":3}}}}"#, 0),
      (#"{"decoding":{\#(machine),"classes":{"jpeg 3 large":{"usual":-2,"cautious":3}}}}"#, 0),
      (#"{"decoding":{\#(machine),"classes":{"tiff 3 large":{"usual":2,"cautious":3}}}}"#, 0),
    ] {
      try jobs.temporary.write(text, to: ".costs.json")
      #expect(kept.readDecoding()?.classes.count == count, "\(text)")
    }
    try jobs.temporary.write(#"{"decoding":{"classes":{}}}"#, to: ".costs.json")
    #expect(kept.readDecoding() == nil)
  }
}
