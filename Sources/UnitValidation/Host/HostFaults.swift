import CUnitHost

/// Rules of the unit ABI that a unit broke while it rendered.
public struct HostFaults: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ value: Int) { rawValue = UInt32(value) }

  static let nullInputOffered = HostFaults(BL_FAULT_NULL_INPUT_OFFERED)
  static let wrongPull = HostFaults(BL_FAULT_WRONG_PULL)
  static let inputWritten = HostFaults(BL_FAULT_INPUT_WRITTEN)
  static let outOfBounds = HostFaults(BL_FAULT_OUT_OF_BOUNDS)
  static let noOutputPointer = HostFaults(BL_FAULT_NO_OUTPUT_POINTER)
  static let outputNotWritten = HostFaults(BL_FAULT_OUTPUT_NOT_WRITTEN)
  static let outputMoved = HostFaults(BL_FAULT_OUTPUT_MOVED)
  static let midiTime = HostFaults(BL_FAULT_MIDI_TIME)
  static let midiMessage = HostFaults(BL_FAULT_MIDI_MESSAGE)
  static let midiCable = HostFaults(BL_FAULT_MIDI_CABLE)
  static let midiFlood = HostFaults(BL_FAULT_MIDI_FLOOD)

  private static let texts: [(HostFaults, String)] = [
    (.nullInputOffered, "offers pull_input a null pointer"),
    (.wrongPull, "pulls a bus, or a number of channels or frames, that is not the cycle's"),
    (.inputWritten, "writes into its input"),
    (.outOfBounds, "writes past the cycle's frames"),
    (.noOutputPointer, "leaves a null output pointer as it is"),
    (.outputNotWritten, "leaves frames of its output unwritten"),
    (.outputMoved, "replaces an output pointer that was not null"),
    (.midiTime, "sends MIDI outside the cycle or out of order"),
    (.midiMessage, "sends bytes that are no whole MIDI message"),
    (.midiCable, "sends MIDI from an output that its descriptor does not name"),
    (.midiFlood, "sends more MIDI than any host has room for"),
  ]

  /// Each rule that was broken, in words.
  public var sentences: [String] { Self.texts.filter { contains($0.0) }.map(\.1) }
}
