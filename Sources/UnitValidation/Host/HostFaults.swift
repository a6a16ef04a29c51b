import CUnitHost

/// Rules of the unit ABI that a unit broke while it rendered.
package struct HostFaults: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(_ value: Int) { rawValue = UInt32(value) }

  static let nullInputOffered = HostFaults(BL_FAULT_NULL_INPUT_OFFERED)
  static let wrongPull = HostFaults(BL_FAULT_WRONG_PULL)
  static let inputWritten = HostFaults(BL_FAULT_INPUT_WRITTEN)
  static let outOfBounds = HostFaults(BL_FAULT_OUT_OF_BOUNDS)
  static let noOutputPointer = HostFaults(BL_FAULT_NO_OUTPUT_POINTER)
  static let outputNotWritten = HostFaults(BL_FAULT_OUTPUT_NOT_WRITTEN)
  static let outputMoved = HostFaults(BL_FAULT_OUTPUT_MOVED)
  static let midi = HostFaults(
    BL_FAULT_MIDI_TIME | BL_FAULT_MIDI_MESSAGE | BL_FAULT_MIDI_CABLE | BL_FAULT_MIDI_FLOOD)

  static let calls = HostFaults(BL_FAULT_CALL_ELSEWHERE)
  static let notices = HostFaults(
    BL_FAULT_NOTICE | BL_FAULT_GESTURE | BL_FAULT_VALUE | BL_FAULT_TIMES)

  private static let texts = [
    (BL_FAULT_NULL_INPUT_OFFERED, "offers pull_input a null pointer"),
    (
      BL_FAULT_WRONG_PULL,
      "pulls a bus, or a number of channels or frames, that is not the cycle's"
    ),
    (BL_FAULT_INPUT_WRITTEN, "writes into its input"),
    (BL_FAULT_OUT_OF_BOUNDS, "writes past the cycle's frames"),
    (BL_FAULT_NO_OUTPUT_POINTER, "leaves a null output pointer as it is"),
    (BL_FAULT_OUTPUT_NOT_WRITTEN, "leaves frames of its output unwritten"),
    (BL_FAULT_OUTPUT_MOVED, "replaces an output pointer that was not null"),
    (BL_FAULT_MIDI_TIME, "sends MIDI outside the cycle or out of order"),
    (BL_FAULT_MIDI_MESSAGE, "sends bytes that are no whole MIDI message"),
    (BL_FAULT_MIDI_CABLE, "sends MIDI from an output that its descriptor does not name"),
    (BL_FAULT_MIDI_FLOOD, "sends more MIDI than any host has room for"),
    (
      BL_FAULT_CALL_ELSEWHERE,
      "calls its host on another thread than the one that renders it, or after it has rendered"
    ),
    (
      BL_FAULT_NOTICE,
      "notifies a parameter that cannot be set, a value or a time out of range, or no text"
    ),
    (BL_FAULT_GESTURE, "begins a gesture twice, or ends one that it has not begun"),
    (BL_FAULT_VALUE, "notifies another value than the parameter has after the cycle"),
    (
      BL_FAULT_TIMES,
      "changes its latency or its tail without an event, and does not notify that"
    ),
  ]

  /// A sentence for each broken rule.
  package var sentences: [String] {
    Self.texts.filter { contains(HostFaults($0.0)) }.map(\.1)
  }
}
