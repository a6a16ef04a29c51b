import Foundation
import Testing

@testable import UnitModel

@Suite struct MorphTests {
  static let facts = UnitFacts(
    component: ComponentDescription("aufx/mrph/test")!, name: "Morph",
    parameters: [
      ParameterInfo(
        identifier: "cutoff", name: "Cutoff", unit: .hertz, minimum: 20, maximum: 20_480,
        defaultValue: 1000, curve: .logarithmic),
      ParameterInfo(
        identifier: "level", name: "Level", unit: .decibels, minimum: -60, maximum: 12,
        defaultValue: 0),
      ParameterInfo(
        identifier: "attack", name: "Attack", unit: .seconds, minimum: 0, maximum: 9,
        defaultValue: 0, curve: .squared, flags: [.readable, .writable]),
      ParameterInfo(
        identifier: "shape", name: "Shape", unit: .indexed, minimum: 0, maximum: 2,
        defaultValue: 0, flags: [.readable, .writable], valueStrings: ["a", "b", "c"]),
      ParameterInfo(
        identifier: "meter", name: "Meter", minimum: 0, maximum: 1, defaultValue: 0,
        flags: [.readable]),
    ])

  /// Returns a parameter's value at each frame, in a unit that follows the steps.
  private func path(_ morph: Morph, _ address: UInt64, from start: Float, frames: Int) -> [Float] {
    var values: [Float] = []
    var value = start
    let steps = morph.steps.filter { $0.address == address }
    for frame in 0..<frames {
      for step in steps where step.frame == frame && step.ramp == 0 { value = step.value }
      let step = steps.last { $0.frame <= frame && $0.ramp > 0 }
      if let step, frame - step.frame < step.ramp {
        let before = steps.last { $0.frame < step.frame }?.value ?? start
        values.append(
          before + (step.value - before) * Float(frame - step.frame) / Float(step.ramp))
        value = step.value
      } else {
        values.append(value)
      }
    }
    return values
  }

  @Test func aCutoffPassesItsOctavesEvenly() {
    let morph = Morph(from: [0: 20], to: [0: 20_480], of: Self.facts, frames: 48_000)
    let path = path(morph, 0, from: 20, frames: 48_001)
    for frame in path.indices {
      let expected = 20 * pow(2, 10 * Double(frame) / 48_000)
      #expect(abs(Double(path[frame]) / expected - 1) < 0.006, "frame \(frame)")
    }
    #expect(path[48_000] == 20_480)
  }

  @Test func aLevelIsOneRamp() {
    let morph = Morph(from: [1: -20], to: [1: 4], of: Self.facts, frames: 1000)
    #expect(morph.steps == [Morph.Step(frame: 0, address: 1, value: 4, ramp: 1000)])
  }

  @Test func whatDoesNotRampIsSteppedAlongItsCurve() {
    let morph = Morph(from: [2: 9], to: [2: 1], of: Self.facts, frames: 3200)
    #expect(morph.steps.allSatisfy { $0.ramp == 0 } && morph.steps.count == 32)
    // The square of the middle between the roots 3 and 1.
    #expect(morph.steps[15] == Morph.Step(frame: 1600, address: 2, value: 4, ramp: 0))
    #expect(morph.steps.last == Morph.Step(frame: 3200, address: 2, value: 1, ramp: 0))
  }

  @Test func aChoiceSwitchesHalfWay() {
    let morph = Morph(from: [:], to: [3: 2], of: Self.facts, frames: 500)
    #expect(morph.steps == [Morph.Step(frame: 250, address: 3, value: 2, ramp: 0)])
  }

  @Test func whatDoesNotMoveAndWhatCannotBeSetIsLeftOut() {
    let morph = Morph(
      from: [0: 1000, 1: 0, 4: 0], to: [4: 1], of: Self.facts, frames: 500)
    #expect(morph.steps.isEmpty)
  }

  @Test(arguments: [0, 1, 7])
  func shortOnesArriveAsWell(frames: Int) {
    let morph = Morph(
      from: [0: 40, 2: 1], to: [0: 80, 2: 4, 3: 1], of: Self.facts, frames: frames)
    for (address, value) in [(0 as UInt64, 80 as Float), (2, 4), (3, 1)] {
      let last = morph.steps.last { $0.address == address }
      #expect(last?.value == value && (last?.frame ?? 0) + (last?.ramp ?? 0) <= frames)
    }
  }
}
