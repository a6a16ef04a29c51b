import Documents
import Testing
import UnitModel

@Suite struct ProcessChoiceTests {
  @Test func readsWhatItWrites() throws {
    let choices: [ProcessChoice] = [.host, .own, .group("echoes"), .group("Long-echoes_2")]
    #expect(
      choices.map(\.description) == ["host", "own", "group echoes", "group Long-echoes_2"])
    for choice in choices {
      #expect(try ProcessChoice(written: choice.description) == choice)
    }
    #expect(try ProcessChoice(written: " group\techoes ") == .group("echoes"))
  }

  @Test(arguments: [
    ("hsot", "host"), ("Own", "own"), ("groups", "group NAME"), ("gruop echoes", "group echoes"),
    ("group long echoes", "group long-echoes"), ("group", nil), ("", nil), ("group é", nil),
    ("group a:b c", nil), ("own host", nil), ("elsewhere", nil),
  ])
  func refusesTheRestWithTheNearestWord(text: String, suggestion: String?) {
    #expect {
      try ProcessChoice(written: text)
    } throws: {
      ($0 as? Refusal)?.suggestion == suggestion
    }
  }

  @Test func processorsAreNamedOrNumbered() throws {
    let choices: [ProcessorChoice] = [.automatic, .same, .other, .number(0), .number(1023)]
    #expect(choices.map(\.description) == ["auto", "same", "other", "0", "1023"])
    for choice in choices {
      #expect(try ProcessorChoice(written: choice.description) == choice)
    }
    for (text, suggestion) in [("smae", "same"), ("-1", nil), ("1024", nil), ("1.5", nil)] {
      #expect {
        try ProcessorChoice(written: text)
      } throws: {
        ($0 as? Refusal)?.suggestion == suggestion
      }
    }
  }
}
