import BacklineTestSupport
import Foundation
import RackModel
import Synchronization

/// Ten thousand random edits and a thousand scenes while a tone plays, all undone now and then.
enum EditSoak {
  /// The number of rounds. Each ends with an undo of all steps, of which at most a thousand are kept.
  private static let rounds = 20
  private static let edits = 500
  private static let scenes = 50
  private static let frames = 48_000

  static let rack = """
    rack: \(SoakStage.client)
    inputs: { in: { channels: 1 } }
    outputs: { out: { channels: 1 } }
    units:
      level: { unit: aufx/gain/bkln, parameters: { gain: -6 dB } }
      echo:
        unit: aufx/dely/bkln
        spill: true
        parameters: { time: 90 ms, tone: 20 kHz, mix: 30 %, feedback: 20 % }
    connections: [ in -> level -> echo -> out ]
    scenes:
      dry: { echo.bypass: true, level.gain: -9 dB }
      wet: { echo.bypass: false, echo.mix: 60 %, level.gain: -6 dB, over: 100 ms }
      soft: { level.bypass: false, level.gain: -20 dB, over: 30 ms }

    """

  static func run() async throws {
    let folder = try TemporaryFolder()
    let stage = try SoakStage(rack, period: 128, in: folder)
    defer { stage.end() }
    let probe = try JackProbe(server: stage.server.name)
    try probe.connect("injector:out_1", "\(SoakStage.client):in")
    try probe.connect("\(SoakStage.client):out", "capturer:in_1")
    let began = Measurement.now()
    let isOver = StopFlag()
    let editing = Task {
      defer { isOver.raise() }
      return try edit()
    }
    var heard = Hearing()
    let tone = Signals.sine(frequency: 100, amplitude: 0.1, frames: frames)
    var last: (take: [Float], xruns: Int)?
    repeat {
      let before = stage.xruns.ours
      let take = try? await probe.play([tone], frames: frames)
      // A late cycle leaves a gap, which the server reports within a second.
      if let last { heard.judge(last.take, isWhole: stage.xruns.ours == last.xruns) }
      last = take.map { ($0.channels[0], before) }
    } while !isOver.isRaised
    let tally = try await editing.value
    try show(tally, heard, xruns: stage.xruns, seconds: Measurement.now() - began)
    for line in stage.said.split(separator: "\n") where line.contains("warning") {
      print("  | \(line)")
    }
  }

  private struct Tally {
    var edits = 0
    var scenes = 0
    var undone = 0
    var unlike = 0
  }

  private static func edit() throws -> Tally {
    let rack = try SoakControl(rack: SoakStage.client)
    var random = Random(seed: 11)
    var tally = Tally()
    for round in 1...rounds {
      let first = try rack.state()
      while tally.edits < round * edits {
        if try rack.performs(command(&random)) { tally.edits += 1 }
        if tally.scenes * edits < tally.edits * scenes {
          let scene = ["dry", "wet", "soft"].randomElement(using: &random) ?? "dry"
          if try rack.performs(["command": "scene", "name": scene]) { tally.scenes += 1 }
        }
      }
      while try rack.performs(["command": "undo"]) { tally.undone += 1 }
      // The ramps of scenes end.
      usleep(300_000)
      if try rack.state() != first { tally.unlike += 1 }
      print("  \(tally.edits) edits, \(tally.scenes) scenes, \(tally.unlike) times unlike")
      fflush(nil)
    }
    return tally
  }

  /// Returns a random command, which may be refused, as a person's may.
  static func command(_ random: inout Random) -> [String: String] {
    let decibels = Int.random(in: -24...0, using: &random)
    let percent = Int.random(in: 0...60, using: &random)
    let name = ["a", "b", "c"].randomElement(using: &random) ?? "a"
    let kind = ["Gain", "Delay", "Low-Pass Filter"].randomElement(using: &random) ?? "Gain"
    let unit = ["level", "echo", name].randomElement(using: &random) ?? name
    let cable =
      ["in -> level", "level -> echo", "echo -> out", "in -> out"].randomElement(using: &random)
      ?? ""
    return switch Int.random(in: 0..<16, using: &random) {
    case 0: ["command": "set", "parameter": "level.gain", "value": "\(decibels) dB"]
    case 1: ["command": "set", "parameter": "echo.mix", "value": "\(percent) %"]
    case 2: ["command": "set", "parameter": "\(name).gain", "value": "\(decibels) dB"]
    case 3, 4:
      [
        "command": "set", "parameter": "\(unit).bypass",
        "value": Bool.random(using: &random) ? "on" : "off",
      ]
    case 5:
      ["command": "ramp", "parameter": "level.gain", "value": "\(decibels) dB", "over": "60 ms"]
    case 6: ["command": "reset", "parameter": "echo.mix"]
    case 7, 8: ["command": "add", "name": name, "unit": kind, "into": cable]
    case 9: ["command": "remove", "name": unit]
    case 10:
      [
        "command": "rename", "name": name,
        "to": ["a", "b", "c"].randomElement(using: &random) ?? "a",
      ]
    case 11: ["command": "connect", "chain": "in -> out"]
    case 12: ["command": "disconnect", "chain": cable]
    case 13: ["command": "replace", "name": name, "unit": kind]
    case 14: ["command": "redo"]
    default: ["command": "undo"]
    }
  }

  /// The results of the takes.
  private struct Hearing {
    var takes = 0
    var gaps = 0
    var loudest: Float = 0
    /// The largest step as a share of the allowed step.
    var largestStep: Float = 0

    /// The largest step of the tone at its loudest, plus that of a bypass to its inverse in 10 ms; cables
    /// take twice as long.
    private static let share = Float(2 * Double.pi * 100 / 48_000 + 2.0 / 480)

    mutating func judge(_ take: [Float], isWhole: Bool) {
      guard isWhole else {
        gaps += 1
        return
      }
      takes += 1
      // Silence and its echoes separate two takes.
      loudest = max(loudest, take.map { $0.isFinite ? abs($0) : .infinity }.max() ?? 0)
      if loudest > 0 {
        largestStep = max(largestStep, Signals.largestStep(take) / (loudest * Self.share))
      }
    }
  }

  private static func show(
    _ tally: Tally, _ heard: Hearing, xruns: (ours: Int, idle: Int), seconds: Double
  ) throws {
    var table = Table(
      title:
        "\(tally.edits) edits, \(tally.scenes) scenes, \(tally.undone) steps undone, in "
        + "\(Int(seconds)) s, 128 frames", unit: "count", reference: "beside")
    table.rows.append(
      .init(
        "largest step", ours: Double(heard.largestStep), reference: 1, aim: 1,
        remark: "of what fades allow, in \(heard.takes) s; \(heard.gaps) s with xruns not judged"))
    table.rows.append(
      .init(
        "unlike once undone", ours: Double(tally.unlike), reference: nil,
        ratio: Double(tally.unlike), aim: 0, remark: "of \(rounds) times"))
    table.addXruns(xruns)
    try table.show()
  }
}

final class StopFlag: Sendable {
  private let value = Atomic(false)
  var isRaised: Bool { value.load(ordering: .relaxed) }
  func raise() { value.store(true, ordering: .relaxed) }
}
