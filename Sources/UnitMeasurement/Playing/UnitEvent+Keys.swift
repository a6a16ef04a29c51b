import UnitValidation

/// The messages of a keyboard.
extension UnitEvent {
  package static func on(
    _ key: UInt8, _ velocity: UInt8 = 127, channel: UInt8 = 0, at frame: Int = 0
  ) -> UnitEvent { .midi([0x90 | channel, key, velocity], at: frame) }

  package static func off(_ key: UInt8, channel: UInt8 = 0, at frame: Int) -> UnitEvent {
    .midi([0x80 | channel, key, 0], at: frame)
  }

  package static func control(
    _ controller: UInt8, _ value: UInt8, at frame: Int = 0
  ) -> UnitEvent { .midi([0xB0, controller, value], at: frame) }
}
