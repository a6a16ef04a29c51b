import AudioUnits
import Documents
import Glibc
import RackModel
import RackStage
import UnitModel

/// Writes a rack file's text around one unit and checks it like any rack file.
struct UnitRack: Sendable {
  enum Source {
    /// Through the player unit.
    case file(String)
    /// Through a property of the unit itself.
    case ownFile(String, property: String)
    case jack, midi, nothing
    /// MIDI that the unit changes and the sine instrument plays.
    case midiThroughUnit
  }

  /// The unit's name in its rack.
  static let unitName = "unit"
  static let drumLoop = "racks/sounds/drum-loop.flac"

  private let text: String

  /// `settings` are `keyPath=value`.
  init(
    _ facts: UnitFacts, reference: UnitReference, preset: String?, settings: [String],
    source: Source
  ) {
    let playback = "[\"system:playback_1\", \"system:playback_2\"]"
    // Both sides of what most people have one of: a microphone or a guitar.
    let capture = "[\"system:capture_1\", \"system:capture_1\"]"
    var lines = ["rack: \(Self.quoted(facts.name))"]
    switch source {
    case .jack: lines.append("inputs: { in: { channels: 2, connect: \(capture) } }")
    case .midi, .midiThroughUnit: lines.append("inputs: { keys: { midi: true } }")
    case .file, .ownFile, .nothing: break
    }
    lines += ["outputs: { main: { channels: 2, connect: \(playback) } }", "units:"]
    var unit = "  \(Self.unitName): { unit: \(Self.quoted("\(reference)"))"
    if let preset { unit += ", preset: \(Self.quoted(preset))" }
    if case .ownFile(let path, let property) = source {
      unit += ", properties: { \(Self.quoted(property)): \(Self.quoted(FilePlace.absolute(path))) }"
    }
    let parameters = settings.map { setting in
      setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { Self.quoted(String($0)) }.joined(separator: ": ")
    }
    if !parameters.isEmpty { unit += ", parameters: { \(parameters.joined(separator: ", ")) }" }
    lines.append(unit + " }")
    if case .file(let path) = source {
      lines.append(
        "  player: { unit: augn/play/bkln, properties: { file: \(Self.quoted(FilePlace.absolute(path))) } }"
      )
    }
    if case .midiThroughUnit = source { lines.append("  synth: { unit: aumu/sine/bkln }") }
    lines.append("connections:")
    switch source {
    case .file: lines.append("  - player -> unit -> main")
    case .jack: lines.append("  - in -> unit -> main")
    case .midi: lines.append("  - keys -> unit -> main")
    case .midiThroughUnit: lines.append("  - keys -> unit -> synth -> main")
    case .ownFile, .nothing: lines.append("  - unit -> main")
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  func check(_ catalogue: any UnitDirectory) -> (rack: CheckedRack?, diagnostics: [Diagnostic]) {
    RackLoader.checker("/", catalogue: catalogue).open(Array(text.utf8), file: "")
  }

  /// The text as a quoted YAML scalar.
  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.value < 32:
        "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
