import BacklineTestSupport
import Testing
import UnitMeasurement

@Suite struct FigureTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let unit: BuiltInUnit
    let figure: Figure
    var testDescription: String { "\(unit): \(figure.name)" }
  }

  static let quick = MeasuredUnit.all.flatMap { measured in
    measured.figures.filter { !$0.isLong }.map { Case(unit: measured.unit, figure: $0) }
  }

  static let loudness = MeasuredUnit.all.flatMap { measured in
    measured.presetFigures.map { Case(unit: measured.unit, figure: $0) }
  }

  @Test(arguments: quick) func meetsItsGoal(_ test: Case) throws { try check(test) }

  /// Another preset changes the sound, and not how loud it is.
  @Test(arguments: loudness) func presetsAreEquallyLoud(_ test: Case) throws { try check(test) }

  private func check(_ test: Case) throws {
    let value = try test.figure.value(of: test.unit)
    #expect(
      test.figure.isMet(by: value),
      "\(test.testDescription): \(test.figure.text(value)), goal \(test.figure.goalText)")
  }

  /// A sound with NaN hides in maxima of magnitudes.
  @Test func onlyFiniteSoundsMeetGoals() throws {
    let unit = BuiltInUnit("aufx/gain/bkln")
    func silence(_ input: Float) -> Figure {
      Figure("Silence", in: "dB", .atMost(-90)) { unit in
        Level.peak(try unit.host().play([input, 0, 0, 0]).suffix(3))
      }
    }
    let (clean, broken) = (silence(0), silence(.infinity))
    #expect(clean.isMet(by: try clean.value(of: unit)))
    #expect(!broken.isMet(by: try broken.value(of: unit)))
    #expect(!clean.isMet(by: .nan) && !clean.isMet(by: -.infinity))
  }

  @Test func figuresAndGoalsAreWrittenWithTheirUnit() {
    let figure = Figure("Alias", in: "dBc", .atMost(-90)) { _ in 0 }
    #expect(figure.text(-123.456) == "-123.5 dBc")
    #expect(figure.text(0.0000001) == "0 dBc")
    #expect(figure.goalText == "≤ -90 dBc")
    let near = Figure("Time", in: "ms", .near(100, within: 0.01)) { _ in 0 }
    #expect(near.goalText == "100 ± 0.01 ms")
  }
}
