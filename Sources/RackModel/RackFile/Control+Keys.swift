import Documents
import UnitModel

extension Rack.Control: ListedEntry {
  init(at position: SourcePosition) { self.position = position }

  package static var title: String { "a control" }
  package static var keys: [Key<Rack.Control>] {
    [
      Key(
        "from", optional: \.source,
        .text.schema([
          "type": "string",
          "pattern": "^\\s*\\S.*\\s(cc|nrpn|bend|pressure|note|program)(\\s|$)",
        ]),
        missing: { _ in "a control says where it comes from, as in from: keys cc 1" },
        "A MIDI input and a kind of message: `cc 1`; `cc 1/33` (14 bits, in two halves); `nrpn 1234`; "
          + "`bend`; `pressure` of a channel or `pressure C4` of a key; `note C4`, with the velocity "
          + "as its value and 0 when it is released; `program 1` to `program 128`, in any bank unless "
          + "one follows: `program 1 bank 2` (the value of controller 0) or `bank 2/5` (with "
          + "controller 32). `channel 3` may follow; default: all channels."),
      Key(
        "to", optional: \.target,
        .text.schema([
          "type": "string",
          "anyOf": [
            ["pattern": "\\."],
            ["pattern": "^(scene|song|next file|previous file)\\s"],
            ["pattern": "^(next|previous) song$|^(record|panic|tap)$"],
          ],
        ]),
        missing: { _ in "a control says what it moves, as in to: ring.frequency" },
        "`UNIT.PARAMETER`, `UNIT.bypass`, `scene NAME`, or a command: `next song`, `previous song`, "
          + "`song NAME` (or its number) in a set list; `next file UNIT` and `previous file UNIT` (or "
          + "`UNIT.PROPERTY`), in the folder of the unit's file; `record`, which starts a recording "
          + "beside the rack file, and ends it; `panic`, which ends all notes; `tap` (or `tempo.tap`), "
          + "which taps the tempo. A unit of such a name goes first."),
      Key(
        "range", optional: \.range, .range,
        "The values at the lowest and the highest position, in this order: `[0 dB, -20 dB]` goes down. "
          + "Default: the parameter's whole range."),
      Key(
        "curve", optional: \.curve, .word(),
        "How the value moves between them: `linear`, `log` (equal ratios) or `square` (fine at the low "
          + "end). Default: the parameter's own curve."),
      Key(
        "mode", optional: \.mode, .word(),
        "`absolute` (default): the position of the knob. `toggle`: each press sets the other end of the "
          + "range, for pedals and keys. `latching`: likewise, for a pedal that sends 127 at one press and "
          + "0 at the next; of a scene or a command, too. `twos-complement`, `binary-offset` or "
          + "`sign-magnitude`: the steps of an endless encoder (`cc` or `nrpn`), 127 for the whole range, "
          + "by the way in which it sends them."),
      Key(
        "pick_up", optional: \.picksUp, .flag,
        "`true`: the control moves nothing until it reaches the parameter's present value."),
    ]
  }
}

extension Rack.Scene: NamedEntry {
  package init(name: Located<String>) { self.name = name }
  package static var title: String { "a scene" }
  package static var example: String? { "{ ring.bypass: true, echo.mix: 20 % }" }
  package static var others: WritableKeyPath<Rack.Scene, [Setting]>? { \.values }
  package static var keys: [Key<Rack.Scene>] {
    [
      Key(
        "over", optional: \.time, .text,
        "How long the change takes. All other keys are `UNIT.PARAMETER` or `UNIT.bypass`.")
    ]
  }
  package static func match(_ scenes: [Rack.Scene], in former: [Rack.Scene]) -> [Int?] {
    EntryMatching.scenes(of: scenes, in: former)
  }
  package static func match(_ settings: [Setting], in former: [Setting]) -> [Int?] {
    EntryMatching.settings(of: settings, in: former)
  }
}

extension Rack.Lane: NamedEntry {
  package init(name: Located<String>) { target = name }
  package var name: Located<String> {
    get { target }
    set { target = newValue }
  }
  package static var title: String { "a lane" }
  package static var shorthand: String? { "points" }
  package static var keys: [Key<Rack.Lane>] {
    [
      Key(
        "points", \.points, .points,
        missing: { "the lane of “\($0.target.value)” has no “points”" },
        "A list of `VALUE @ TIME`: `5 kHz @ 2 s`, `30 % @ bar 5 beat 2.5`."),
      Key(
        "curve", optional: \.curve, .word(),
        "How the value moves between two points: `linear` (default), `log` (equal ratios), `square`, or "
          + "`hold`, which keeps each value until the next point."),
    ]
  }
  package static func match(_ lanes: [Rack.Lane], in former: [Rack.Lane]) -> [Int?] {
    EntryMatching.lanes(of: lanes, in: former)
  }
}

extension ControlMode: WordValue {
  package static var kind: String { "a mode" }
  package static var all: [ControlMode] { allCases }
  public var description: String { rawValue }
}

extension PlannedLane.Curve: WordValue {
  package static var kind: String { "a curve" }
  package static var all: [PlannedLane.Curve] { [.hold] + ParameterCurve.all.map { .along($0) } }
  public var description: String {
    switch self {
    case .hold: "hold"
    case .along(let curve): "\(curve)"
    }
  }
}
