import CKernel
import UnitModel

/// The notes that an expression applies to.
public enum ExpressedNotes: Sendable, Hashable {
  /// The notes that `scheduleNote` started with this identifier.
  case identifier(UInt32)
  /// The notes whose key is down on a channel, numbered from 0.
  case key(UInt8, channel: UInt8 = 0)
}

extension AudioUnit {
  /// Starts a note with an identifier for expressions; MIDI ends it. Lock-free, from any thread.
  ///
  /// - Parameters:
  ///   - identifier: the note's identifier, above 0.
  ///   - key: the key, 0 to 127, on a channel from 0 to 15.
  /// - Throws: `AudioUnitError`, as `scheduleMIDI` does.
  public func scheduleNote(
    _ identifier: UInt32, key: UInt8, channel: UInt8 = 0, velocity: UInt8 = 100, cable: UInt8 = 0,
    at time: EventTime = .now
  ) throws(AudioUnitError) {
    guard identifier > 0, key < 128, channel < 16, (1..<128).contains(velocity) else {
      throw error("note \(identifier): key \(key) on channel \(channel), velocity \(velocity)")
    }
    var note = bl_midi_event()
    note.cable = cable
    note.length = 3
    note.bytes = (0x90 | channel, key, velocity)
    let status = bl_schedule_note(
      schedulerHandle.pointer, try sampleTime(time), identifier, note)
    if Int(status) == Int(BL_ERROR_NO_SUCH_ELEMENT) {
      throw error("it has no MIDI cable \(cable)")
    }
    try check(status)
  }

  /// Changes an expression of notes, limited to its range. Lock-free, from any thread.
  ///
  /// - Throws: `AudioUnitError` if the unit does not follow expressions or the value is not a number, and as
  ///   `scheduleMIDI` does.
  public func scheduleExpression(
    _ expression: NoteExpression, to value: Float, of notes: ExpressedNotes, cable: UInt8 = 0,
    at time: EventTime = .now
  ) throws(AudioUnitError) {
    guard followsExpressions else { throw error("it does not follow expressions of notes") }
    guard !value.isNaN else { throw error("an expression that is not a number") }
    let range = expression.range
    var event = bl_expression_event()
    event.cable = cable
    event.expression = expression.rawValue
    event.value = min(max(value, range.lowerBound), range.upperBound)
    switch notes {
    case .identifier(let identifier): event.note_id = identifier
    case .key(let key, let channel): (event.key, event.channel) = (key, channel)
    }
    try check(bl_schedule_expression(schedulerHandle.pointer, try sampleTime(time), event))
  }
}
