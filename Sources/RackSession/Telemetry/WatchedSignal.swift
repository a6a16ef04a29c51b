import AudioUnits
import Documents
import RackEngine
import UnitModel

/// A signal of a unit that can be watched: `echo.output.spectrum`, `room.response`.
public struct WatchedSignal: Sendable, Hashable, CustomStringConvertible {
  /// The unit's name.
  public var unit: String
  public var subject: Subject

  public enum Subject: Sendable, Hashable {
    case sound(SoundPlace, SoundAnalysis)
    /// A telemetry array of the unit, by its identifier.
    case telemetry(String)
  }

  public enum SoundPlace: String, Sendable, CaseIterable { case input, output }
  public enum SoundAnalysis: String, Sendable, CaseIterable { case scope, spectrum, tuner }

  /// The identifier of the signal within its unit: `output.spectrum`, `response`.
  public var identifier: String {
    switch subject {
    case .sound(let place, let analysis): "\(place).\(analysis)"
    case .telemetry(let identifier): identifier
    }
  }

  public var description: String { "\(unit).\(identifier)" }

  /// Finds a signal among the units that play.
  ///
  /// - Throws: `Refusal` with the nearest name if the unit or the signal does not exist.
  init(_ text: String, in units: [NamedUnit]) throws(Refusal) {
    let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      throw Refusal("“\(text)” is not a signal; write it like echo.output.spectrum")
    }
    guard let unit = units.first(where: { $0.name == parts[0] }) else {
      throw Refusal(
        "there is no unit “\(parts[0])”",
        suggestion: nearestWord(to: parts[0], in: units.map(\.name)))
    }
    let all = Self.all(of: unit)
    guard let found = all.first(where: { $0.identifier == parts[1] }) else {
      let names = all.map(\.identifier)
      throw Refusal(
        "\(unit.name) shows no “\(parts[1])”; it has \(names.joined(separator: ", "))",
        suggestion: nearestWord(to: parts[1], in: names))
    }
    self = found
  }

  private init(_ unit: String, _ subject: Subject) { (self.unit, self.subject) = (unit, subject) }

  /// Returns all signals of a unit.
  static func all(of unit: NamedUnit) -> [WatchedSignal] {
    let facts = unit.audioUnit.facts
    let places = SoundPlace.allCases.filter {
      $0 == .input ? !facts.inputBusses.isEmpty : !facts.outputBusses.isEmpty
    }
    return places.flatMap { place in
      SoundAnalysis.allCases.map { WatchedSignal(unit.name, .sound(place, $0)) }
    } + facts.telemetry.map { WatchedSignal(unit.name, .telemetry($0.identifier)) }
  }

  /// The input or output whose sound the signal analyses; nil for an array of the unit.
  var sound: String? {
    if case .sound(let place, _) = subject { return "\(unit).\(place)" }
    return nil
  }

  /// Returns the place at which the unit must be watched; nil if the unit has no such array.
  func place(in facts: UnitFacts) -> WatchedPlace? {
    switch subject {
    case .sound(.input, _): .input
    case .sound(.output, _): .output
    case .telemetry(let identifier):
      facts.telemetry.firstIndex { $0.identifier == identifier }.map { .telemetry($0) }
    }
  }
}
