/// The unit of a parameter's values.
public enum ParameterUnit: UInt32, Sendable, CaseIterable, Codable {
  case generic
  /// Integers from the minimum on; value strings name them.
  case indexed
  /// 0 or 1.
  case boolean
  /// 0 to 100.
  case percent
  case hertz
  case decibels
  case seconds
  case semitones
  case cents
  case degrees
  case ratio
  case beatsPerMinute
  /// A position, -1 (left) to 1 (right).
  case pan
  case milliseconds
  case sampleFrames
  case beats
  case octaves
  /// A MIDI note number, 0 to 127; 60 is middle C.
  case midiNoteNumber
  /// A MIDI controller value, 0 to 127.
  case midiController
  /// The unit that the parameter's `unitName` names.
  case custom
}
