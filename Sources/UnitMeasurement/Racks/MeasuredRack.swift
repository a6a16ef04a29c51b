import RackEngine

/// A rack that ships, with its test signal and the loudness of its output.
package struct MeasuredRack: Sendable, CustomStringConvertible {
  /// The test signal of a rack.
  package enum Source: Sendable {
    /// Material into every channel of the audio inputs, or into the first `channels` of them.
    case material(Material, channels: Int = 32)
    /// A chord held for three seconds, into every MIDI input.
    case chord
    /// Two bars of kick, snare and hats at 120 beats per minute, into every MIDI input.
    case beat
    /// Material and the chord.
    case materialAndChord(Material)
    /// No input: the rack plays by itself.
    case itself
  }

  /// The file's name without its suffix.
  package let name: String
  package let source: Source
  /// The allowed loudness of the output, LUFS.
  package let goal: ClosedRange<Double>
  /// Pedals pressed and released: times in seconds and controllers, on every MIDI input.
  package let presses: [(seconds: Double, controller: UInt8)]

  package var description: String { name }

  private init(
    _ name: String, _ source: Source, _ goal: ClosedRange<Double>,
    presses: [(seconds: Double, controller: UInt8)] = []
  ) {
    (self.name, self.source, self.goal, self.presses) = (name, source, goal, presses)
  }

  /// The racks by use, in the order of the page.
  package static let shelves: [(use: String, racks: [MeasuredRack])] = [
    (
      "Guitar",
      [
        MeasuredRack("clean-guitar", .material(.guitar), -18 ... -14),
        MeasuredRack("crunch-guitar", .material(.guitar), -18 ... -14),
        MeasuredRack("overdriven-guitar", .material(.guitar), -18 ... -14),
        MeasuredRack("lead-guitar", .material(.guitar), -18 ... -14),
        MeasuredRack("american-clean", .material(.guitar), -18 ... -14),
        MeasuredRack("british-lead", .material(.guitar), -18 ... -14),
        MeasuredRack("fuzz-guitar", .material(.guitar), -18 ... -14),
        MeasuredRack("two-amps", .material(.guitar), -18 ... -14),
      ]
    ),
    (
      "Voice",
      [
        MeasuredRack("vocal-live", .material(.voice), -18 ... -14),
        MeasuredRack("vocal-studio", .material(.voice), -20 ... -16),
        // Only one of the two people speaks.
        MeasuredRack("podcast", .material(.voice, channels: 1), -17 ... -15),
        MeasuredRack("dalek-voice", .material(.voice), -22 ... -14),
        MeasuredRack("talking-synth", .materialAndChord(.voice), -22 ... -14),
      ]
    ),
    (
      "Drums and mixes",
      [
        MeasuredRack("drum-crusher", .itself, -20 ... -12),
        MeasuredRack("drum-bus", .material(.drums), -18 ... -12),
        MeasuredRack("drum-machine", .beat, -20 ... -12),
        MeasuredRack("step-sequence", .itself, -20 ... -12),
        MeasuredRack("mastering", .material(.chords), -15 ... -13),
      ]
    ),
    (
      "Keys",
      [
        MeasuredRack("ambient-pad", .chord, -24 ... -14),
        MeasuredRack("electric-piano", .chord, -24 ... -14),
        MeasuredRack("small-synth", .chord, -24 ... -14),
        MeasuredRack("poly-synth", .chord, -24 ... -14),
        MeasuredRack("fm-piano", .chord, -24 ... -14),
        MeasuredRack("split-keyboard", .chord, -24 ... -14),
        MeasuredRack("wobble-bass", .chord, -24 ... -14),
        MeasuredRack("layered-keys", .chord, -24 ... -14),
        MeasuredRack("arpeggio", .chord, -24 ... -14),
        MeasuredRack("ducking", .chord, -20 ... -12),
      ]
    ),
    (
      "Any instrument",
      [
        // Two seconds are recorded, then repeated under the next two.
        MeasuredRack(
          "loop-station", .material(.guitar), -20 ... -14, presses: [(0.1, 64), (2.1, 64)]),
        MeasuredRack("tape-echo", .material(.guitar), -20 ... -16),
        MeasuredRack("fail-safe", .material(.voice), -22 ... -16),
      ]
    ),
  ]

  package static var all: [MeasuredRack] { shelves.flatMap(\.racks) }
}
