import BacklineTestSupport
import Foundation
import RackModel
import RackTestSupport
import Synchronization
import Testing

@testable import RackEngine
@testable import RackSession

extension JackTests {
  /// Hundreds of commands while a tone plays.
  @Suite(.serialized) struct EditsUnderSound {
    private let rack = """
      rack: Test
      inputs: { in: { channels: 1 } }
      outputs: { out: { channels: 1 } }
      units:
        level: { unit: aufx/gain/bkln, parameters: { gain: -6 dB } }
        echo:
          unit: aufx/dely/bkln
          parameters: { time: 90 ms, tone: 20 kHz, mix: 30 %, feedback: 20 % }
      connections: [ in -> level -> echo -> out ]
      """

    /// Returns a random command, which may be refused, as a person's may.
    private func command(_ random: inout Random) -> String {
      let decibels = Int.random(in: -24...0, using: &random)
      let percent = Int.random(in: 0...60, using: &random)
      let name = ["a", "b", "c"].randomElement(using: &random) ?? "a"
      let unit = ["level", "echo", name].randomElement(using: &random) ?? name
      let cable =
        ["in -> level", "level -> echo", "echo -> out", "in -> out"]
        .randomElement(using: &random) ?? ""
      return switch Int.random(in: 0..<16, using: &random) {
      case 0: "set level.gain \(decibels) dB"
      case 1: "set echo.mix \(percent) %"
      case 2: "set \"\(name).gain\" \(decibels) dB"
      case 3:
        "set \"\(unit).bypass\" \(Bool.random(using: &random) ? "on" : "off")"
      case 4: "ramp level.gain \(decibels) dB --over 60 ms"
      case 5: "reset echo.mix"
      case 6, 7:
        "add \"\(name)\" Gain --into \"\(cable)\""
      case 8: "remove \"\(unit)\""
      case 9: "rename \"\(name)\" \"\(["a", "b", "c"].randomElement(using: &random) ?? "a")\""
      case 10: "connect \"in -> out\""
      case 11: "disconnect \"\(cable)\""
      case 12: "replace \"\(name)\" Gain"
      case 13: "redo"
      default: "undo"
      }
    }

    @Test(.timeLimit(.minutes(10))) func neverClickAndCanAllBeUndone() async throws {
      try await SessionRig.run(rack) { rig in
        let probe = try rig.engine.probe(await rig.session.rack.plan)
        let first = try await rig.state()
        // The seed determines the commands.
        let isOver = Flag()
        let editing = Task { [session = rig.session] in
          var random = Random(seed: 5)
          var done = 0
          for _ in 0..<400 {
            if (try? await session.perform(command(&random))) != nil { done += 1 }
          }
          isOver.raise()
          return done
        }
        // Each part has whole periods, so that the tone ends where it begins.
        let frames = 240_000
        let tone = Signals.sine(frequency: 100, amplitude: 0.1, frames: frames)
        // The largest step of the loudest tone, plus that of a bypass to its inverse, no steeper than a
        // straight fade of 10 ms; cables take twice as long.
        let share = Float(2 * Double.pi * 100 / 48_000 + 2.0 / 480)
        var loudest: Float = 0
        repeat {
          let heard = try await probe.play([tone], frames: frames).channels[0]
          loudest = max(loudest, heard.map(abs).max() ?? 0)
          #expect(Signals.largestStep(heard) < loudest * share)
        } while !isOver.isRaised
        #expect(loudest > 0.05)
        #expect(await editing.value > 100)
        while (try? await rig.session.perform("undo")) != nil {}
        #expect(try await rig.state() == first)
        let heard = try await probe.play([tone], frames: frames).channels[0]
        #expect((heard.suffix(frames / 2).map(abs).max() ?? 0) > 0.03)
      }
    }
  }
}

private final class Flag: Sendable {
  private let value = Atomic(false)
  var isRaised: Bool { value.load(ordering: .relaxed) }
  func raise() { value.store(true, ordering: .relaxed) }
}
