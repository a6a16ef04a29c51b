import Documents
import Testing

@Suite struct NearestWordTests {
  @Test(arguments: [
    ("rnig", "ring"), ("Ring", "ring"), ("cutof", "cutoff"), ("frequecny", "frequency"),
    ("mixx", "mix"),
  ])
  func findsWhatWasMeant(word: String, meant: String) {
    #expect(nearestWord(to: word, in: ["ring", "cutoff", "frequency", "mix"]) == meant)
  }

  @Test(arguments: ["reverb", "", "x", "ri", "ring"])
  func staysSilentWhereNothingIsNear(word: String) {
    #expect(nearestWord(to: word, in: ["ring", "cutoff", "y"]) == nil)
  }

  @Test(arguments: [
    ("plate", "Vocal Plate"), ("GUITAR", "clean-guitar"), ("cutoff", "filter.cutoff"),
  ])
  func findsWhatAWordIsPartOf(word: String, meant: String) {
    let known = ["Small Room", "Vocal Plate", "Gold Plate", "clean-guitar", "filter.cutoff"]
    #expect(nearestWord(to: word, in: known) == meant)
    #expect(nearestWord(to: "plates", in: known + ["Plate"]) == "Plate")
  }

  @Test func prefersTheNearer() {
    #expect(nearestWord(to: "delai", in: ["dela", "delay", "relay"]) == "dela")
    #expect(nearestWord(to: "delayy", in: ["relay", "delay"]) == "delay")
  }
}
