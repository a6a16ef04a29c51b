import UnitModel

/// A MIDI message in the words of a control's source, with its value: `cc 1 channel 3: 64`.
package struct MIDIText: CustomStringConvertible {
  package let description: String

  package init(_ bytes: [UInt8]) {
    guard let status = bytes.first, (0x80..<0xF0).contains(status), bytes.count > 1 else {
      description = Self.system[bytes.first ?? 0] ?? "system message"
      return
    }
    let (first, second) = (Int(bytes[1]), bytes.count > 2 ? Int(bytes[2]) : nil)
    let (kind, value): (ControlSource.Kind, Int?) =
      switch status & 0xF0 {
      case 0x80: (.note(first), 0)
      case 0x90: (.note(first), second)
      case 0xA0: (.keyPressure(first), second)
      case 0xB0: (.controller(first), second)
      case 0xC0: (.program(first), nil)
      case 0xD0: (.pressure, first)
      default: (.pitchBend, (second ?? 64) << 7 + first - 8192)
      }
    let source = ControlSource(kind: kind, channel: Int(status & 0x0F) + 1)
    description = value.map { "\(source): \($0)" } ?? "\(source)"
  }

  private static let system: [UInt8: String] = [
    0xF0: "system exclusive", 0xF1: "time code", 0xF2: "song position", 0xF3: "song select",
    0xF8: "clock", 0xFA: "start", 0xFB: "continue", 0xFC: "stop", 0xFE: "active sensing",
    0xFF: "reset",
  ]
}
