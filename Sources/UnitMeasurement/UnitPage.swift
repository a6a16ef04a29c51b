import AudioUnits
import Foundation
import UnitModel

/// A unit's page and picture in docs/reference/units. `make pictures` writes the text between the
/// page's markers; the rest is prose.
package struct UnitPage {
  package static let start = "<!-- written by make pictures -->\n"
  package static let end = "<!-- end -->\n"

  package let measured: MeasuredUnit
  package let file: URL
  package let picture: URL

  package init(_ measured: MeasuredUnit, in folder: URL) {
    self.measured = measured
    file = folder.appending(path: "\(measured.pageName).md")
    picture = folder.appending(path: "pictures/\(measured.pageName).svg")
  }

  package func renewed(_ text: String, title: String, figures: [(Figure, Double?)]) -> String {
    Self.renewed(text, with: generated(title: title, figures: figures))
  }

  /// Returns a page with `parts` between its markers, or at the end if it has no markers yet.
  static func renewed(_ text: String, with parts: [String]) -> String {
    let part = "\(Self.start)\n\(parts.joined(separator: "\n\n"))\n\n\(Self.end)"
    guard let start = text.range(of: Self.start),
      let end = text.range(of: Self.end, range: start.upperBound..<text.endIndex)
    else { return "\(text)\n\(part)" }
    return text.replacingCharacters(in: start.lowerBound..<end.upperBound, with: part)
  }

  /// Returns a page without its measured numbers, whose last digit differs from machine to machine.
  package static func withoutNumbers(_ text: String) -> String {
    text.replacing(/\*\*[^*|]*\*\* \|/, with: "|")
  }

  private func generated(title: String, figures: [(Figure, Double?)]) -> [String] {
    let facts = UnitFacts(measured.unit.facts)
    var parts = ["![\(title)](pictures/\(picture.lastPathComponent))", "*\(title)*"]
    if !facts.parameters.isEmpty {
      parts += ["## Parameters", parameters(of: facts)]
    }
    if !facts.factoryPresets.isEmpty { parts += ["## Presets", presets(of: facts)] }
    let rows = figures.map { figure, value in
      [figure.name, value.map { "**\(figure.text($0))**" } ?? "****", figure.goalText]
    }
    return parts + ["## Figures", Self.table([["Figure", "Measured", "Goal"]] + rows)]
  }

  private func parameters(of facts: UnitFacts) -> String {
    var (rows, lane) = ([[String]](), [ParameterInfo]())
    for info in facts.parameters {
      if let last = lane.last, info.continues(last) {
        rows.removeLast()
      } else {
        lane = []
      }
      lane.append(info)
      let first = lane[0]
      let path = info.isPerInputBus ? "INPUT.\(info.keyPath)" : info.keyPath
      let isOne = lane.count == 1
      rows.append([
        isOne ? "`\(path)`" : "`\(first.keyPath)` to `\(path)`",
        isOne ? info.name : "\(first.name) to \(info.name)",
        info.rangeText, Quantity.format(info.defaultValue, for: info),
      ])
    }
    return Self.table([["Parameter", "Name", "Range", "Default"]] + rows)
  }

  private func presets(of facts: UnitFacts) -> String {
    let rows = facts.factoryPresets.map { preset in
      let settings = preset.values.sorted { $0.key < $1.key }.compactMap { address, value in
        facts.parameter(at: address).map {
          "\($0.info.name) \(Quantity.format(value, for: $0.info))"
        }
      }
      return [preset.name, settings.joined(separator: ", ")]
    }
    return Self.table([["Preset", "Settings"]] + rows)
  }

  static func table(_ rows: [[String]]) -> String {
    var lines = rows.map { "| \($0.joined(separator: " | ")) |" }
    lines.insert("|" + String(repeating: "---|", count: rows[0].count), at: 1)
    return lines.joined(separator: "\n")
  }
}

extension ParameterInfo {
  /// Whether the two are numbered and alike, such as the steps of a sequencer.
  fileprivate func continues(_ other: ParameterInfo) -> Bool {
    Int(identifier) != nil && Int(identifier) == Int(other.identifier).map { $0 + 1 }
      && group == other.group && rangeText == other.rangeText && defaultValue == other.defaultValue
  }

  /// The range as text: "10 Hz to 20 kHz", "sine, triangle, square", "button".
  fileprivate var rangeText: String {
    if isMomentary { return "button" }
    if !valueStrings.isEmpty { return valueStrings.joined(separator: ", ") }
    if unit == .boolean { return "on, off" }
    return "\(Quantity.format(minimum, for: self)) to \(Quantity.format(maximum, for: self))"
  }
}
