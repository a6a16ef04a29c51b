import Testing

@testable import RackModel

@Suite struct ControlSourceTests {
  @Test(arguments: [
    "cc 0", "cc 127", "cc 1/33", "nrpn 16383", "bend", "pressure", "pressure F#3", "note C4",
    "program 1", "program 128", "cc 7 channel 16", "bend channel 1",
  ])
  func whatIsReadIsWrittenAlike(_ text: String) throws {
    #expect(try ControlSource(written: text.split(separator: " ")).description == text)
  }

  @Test func programsCountFromOneAndKeysFromMiddleC() throws {
    #expect(try ControlSource(written: ["program", "1"]).kind == .program(0))
    #expect(try ControlSource(written: ["note", "C4"]).kind == .note(60))
    #expect(try ControlSource(written: ["cc", "7", "channel", "3"]).channel == 3)
  }
}
