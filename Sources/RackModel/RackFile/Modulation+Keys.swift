import Documents
import UnitModel

extension Rack.Modulation: ListedEntry {
  init(at position: SourcePosition) { self.position = position }

  package static var title: String { "a modulation" }
  package static var keys: [Key<Rack.Modulation>] {
    [
      Key(
        "from", optional: \.source, .text,
        missing: { _ in "a modulation says where it comes from, as in from: lfo" },
        "Where the sound comes from, as in a chain: a unit, one of its outputs (`split.low`), an input of "
          + "the rack; its first channel, or another: `pair channel 2`."),
      Key(
        "to", optional: \.target, .text.schema(["type": "string", "pattern": "\\."]),
        missing: { _ in "a modulation says what it moves, as in to: filter.cutoff" },
        "`UNIT.PARAMETER`."),
      Key(
        "depth", optional: \.depth, .text,
        missing: { _ in "a modulation says how far it goes, as in depth: 30 %" },
        "The part of the parameter's travel by which a sample of 1 moves it, and one of -1 the other way: "
          + "-100 % to 100 %. The travel goes by the parameter's own curve, as a knob does."),
      Key(
        "curve", optional: \.curve, .word(),
        "`linear` (default), or `square`: small samples move it less."),
      Key(
        "late", optional: \.isLate, .flag,
        "`true`: later by 64 frames, as `~>` is, so that a unit can modulate one that comes before it."
      ),
    ]
  }
}
