import RackModel
import Testing

@Suite struct MIDIFileWriterTests {
  @Test(arguments: [22_050.0, 44_100, 48_000, 96_000, 192_000])
  func whatIsWrittenIsReadBackAtItsFrame(rate: Double) throws {
    let frames = [0, 0, 1, 127, 128, 20_000, 2_000_000, 400_000_000]
    let messages = frames.enumerated().map { place, frame in
      TimedMIDI(
        seconds: Double(frame) / rate,
        bytes: place % 3 == 2
          ? [0xF0] + Array(repeating: 5, count: 200) + [0xF7] : [0x90, UInt8(place), 1])
    }
    let bytes = MIDIFile.bytes(of: messages, length: 10_000, sampleRate: rate)
    let read = try MIDIFile.parse(bytes).messages
    #expect(read.map(\.bytes) == messages.map(\.bytes))
    #expect(read.map { Int(($0.seconds * rate).rounded()) } == frames)
  }

  @Test func whatOnlyAWireNeedsIsPassedOver() throws {
    let clock = [TimedMIDI(seconds: 0, bytes: [0xF8]), TimedMIDI(seconds: 1, bytes: [0xC0, 3])]
    let read = try MIDIFile.parse(MIDIFile.bytes(of: clock, length: 2, sampleRate: 48_000)).messages
    #expect(read == [TimedMIDI(seconds: 1, bytes: [0xC0, 3])])
  }
}
