/// Names of MIDI notes in scientific pitch notation: middle C, number 60, is C4.
package enum NoteName {
  private static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
  private static let steps: [Character: Int] = [
    "C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11,
  ]

  /// Returns "F#3" for 54; nil unless the number is an integer from 0 to 127.
  package static func text(_ number: Float) -> String? {
    guard let note = Int(exactly: number), (0...127).contains(note) else { return nil }
    return "\(names[note % 12])\(note / 12 - 1)"
  }

  /// Returns 54 for "F#3", "f♯3" or "Gb3"; nil for other texts.
  static func number(_ text: String) -> Float? {
    guard let letter = text.first?.uppercased().first, let step = steps[letter] else { return nil }
    var rest = text.dropFirst()
    var accidental = 0
    if let sign = rest.first, "#♯b♭".contains(sign) {
      accidental = "#♯".contains(sign) ? 1 : -1
      rest = rest.dropFirst()
    }
    guard let octave = Int(rest), (-1...9).contains(octave) else { return nil }
    return Float((octave + 1) * 12 + step + accidental)
  }
}
