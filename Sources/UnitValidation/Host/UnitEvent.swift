import CUnit
import UnitModel

/// An event at a frame relative to the start of a render job.
package struct UnitEvent: Sendable {
  package enum Kind: Sendable {
    /// A parameter change; a linear ramp if `ramp` is above 0 frames.
    case parameter(address: UInt64, value: Float, ramp: Int)
    /// A smooth change within that many frames, as the kernel moves a knob.
    case knob(address: UInt64, value: Float, frames: Int)
    /// A MIDI message of one to three bytes.
    case midi([UInt8], cable: UInt8)
    case systemExclusive([UInt8], cable: UInt8)
    /// Starts a note with an identifier on channel 1.
    case note(UInt32, key: UInt8, velocity: UInt8)
    /// Changes an expression of a note, or of `key` on channel 1 if `note` is 0.
    case expression(NoteExpression, Float, note: UInt32, key: UInt8 = 0)
  }

  package var frame: Int
  package var kind: Kind

  package init(_ kind: Kind, at frame: Int) { (self.kind, self.frame) = (kind, frame) }

  package static func midi(_ bytes: [UInt8], cable: UInt8 = 0, at frame: Int) -> UnitEvent {
    UnitEvent(.midi(bytes, cable: cable), at: frame)
  }

  package static func parameter(
    _ address: UInt64, _ value: Float, ramp: Int = 0, at frame: Int
  ) -> UnitEvent {
    UnitEvent(.parameter(address: address, value: value, ramp: ramp), at: frame)
  }

  package static func knob(
    _ address: UInt64, _ value: Float, frames: Int, at frame: Int
  ) -> UnitEvent {
    UnitEvent(.knob(address: address, value: value, frames: frames), at: frame)
  }
}

/// Events in their C form, sorted by time.
final class EventList {
  private(set) var events: [bl_event] = []
  private var data: [UnsafeMutableBufferPointer<UInt8>] = []

  init(_ source: [UnitEvent]) {
    let sorted = source.enumerated().sorted {
      ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset)
    }
    events = sorted.map { convert($0.element) }
  }

  deinit { for memory in data { memory.deallocate() } }

  private func convert(_ event: UnitEvent) -> bl_event {
    var converted = bl_event()
    converted.sample_time = Int64(event.frame)
    switch event.kind {
    case .parameter(let address, let value, let ramp):
      converted.type = ramp > 0 ? BL_EVENT_PARAMETER_RAMP : BL_EVENT_PARAMETER
      converted.parameter = bl_parameter_event(
        address: address, value: value, ramp_duration: UInt32(ramp), is_line: true)
    case .knob(let address, let value, let frames):
      converted.type = BL_EVENT_PARAMETER_RAMP
      converted.parameter = bl_parameter_event(
        address: address, value: value, ramp_duration: UInt32(frames), is_line: false)
    case .midi(let bytes, let cable):
      converted.type = BL_EVENT_MIDI
      converted.midi.cable = cable
      converted.midi.length = UInt8(min(3, bytes.count))
      withUnsafeMutableBytes(of: &converted.midi.bytes) { $0.copyBytes(from: bytes.prefix(3)) }
    case .note(let identifier, let key, let velocity):
      converted.type = BL_EVENT_MIDI
      converted.note_id = identifier
      converted.midi.length = 3
      converted.midi.bytes = (0x90, key, velocity)
    case .expression(let expression, let value, let note, let key):
      converted.type = BL_EVENT_NOTE_EXPRESSION
      converted.expression.note_id = note
      converted.expression.key = key
      converted.expression.expression = expression.rawValue
      converted.expression.value = value
    case .systemExclusive(let bytes, let cable):
      let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
      _ = memory.initialize(from: bytes)
      data.append(memory)
      converted.type = BL_EVENT_SYSTEM_EXCLUSIVE
      converted.system_exclusive = bl_system_exclusive_event(
        cable: cable, length: UInt32(bytes.count), data: UnsafePointer(memory.baseAddress))
    }
    return converted
  }
}
