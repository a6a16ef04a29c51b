import AudioUnits
import Foundation
import RackModel

/// docs/reference/racks.md and its pictures: the racks that ship. `make pictures` writes the text
/// between the page's markers; the sentences are those at the head of the rack files.
package struct RackPage {
  package let file: URL
  package let pictures: URL

  /// - Parameter folder: the folder docs/reference.
  package init(in folder: URL) {
    file = folder.appending(path: "racks.md")
    pictures = folder.appending(path: "racks")
  }

  package func graph(of rack: MeasuredRack) -> URL { pictures.appending(path: "\(rack).svg") }

  package func spectrum(of rack: MeasuredRack) -> URL {
    pictures.appending(path: "\(rack)-spectrum.svg")
  }

  /// Returns the page with its sections renewed; `measured` is keyed by rack name.
  package func renewed(
    _ text: String, racks: [String: CheckedRack], measured: [String: [String]],
    catalogue: ComponentCatalogue
  ) -> String {
    let parts = MeasuredRack.shelves.flatMap { shelf in
      ["## \(shelf.use)"]
        + shelf.racks.flatMap { rack -> [String] in
          guard let checked = racks[rack.name] else { return [] }
          return section(of: rack, checked, measured[rack.name] ?? [], catalogue)
        }
    }
    return UnitPage.renewed(text, with: parts)
  }

  private func section(
    of rack: MeasuredRack, _ checked: CheckedRack, _ values: [String],
    _ catalogue: ComponentCatalogue
  ) -> [String] {
    let folder = pictures.lastPathComponent
    let cables = checked.plan.drawnCables.map(\.text).joined(separator: ", ")
    let goals = [
      "", "\(Int(rack.goal.lowerBound)) to \(Int(rack.goal.upperBound)) LUFS", "< 0 dBTP", "",
      "",
    ]
    let columns = ["Loudness in", "Loudness out", "True peak", "Latency", "Cost"]
    let measured = columns.indices.map { place in
      values.indices.contains(place) ? "**\(values[place])**" : "****"
    }
    return ["### [\(rack)](../../racks/\(rack).yaml)"] + Self.purpose(of: checked) + [
      "![\(cables)](\(folder)/\(graph(of: rack).lastPathComponent))",
      "![\(rack.caption)](\(folder)/\(spectrum(of: rack).lastPathComponent))",
      UnitPage.table([
        [rack.played] + columns, ["Measured"] + measured, ["Goal"] + goals,
      ]),
    ]
  }

  /// Returns the comment at the head of a rack file: its sentences, and its commands, which are
  /// indented.
  private static func purpose(of rack: CheckedRack) -> [String] {
    let comment = String(decoding: rack.bytes ?? [], as: UTF8.self).split(separator: "\n")
      .prefix { $0.hasPrefix("# ") && !$0.hasPrefix("# yaml-") }.map { $0.dropFirst(2) }
    let sentences = comment.filter { !$0.hasPrefix(" ") }.joined(separator: " ")
    let commands = comment.filter { $0.hasPrefix(" ") }.map { $0.drop { $0 == " " } }
    guard !commands.isEmpty else { return [sentences] }
    return [sentences, "```sh\n\(commands.joined(separator: "\n"))\n```"]
  }
}

extension MeasuredRack {
  /// The source as the page names it; "guitar".
  fileprivate var played: String {
    switch source {
    case .material(let material, _): "\(material)"
    case .chord: "a chord"
    case .beat: "a beat"
    case .materialAndChord(let material): "\(material) and a chord"
    case .itself: "by itself"
    }
  }

  package var caption: String {
    switch source {
    case .material, .materialAndChord: "\(name): \(played) before and behind the rack"
    case .chord, .beat, .itself: "\(name): \(played)"
    }
  }
}

extension RackRendering {
  /// Returns the values of the page's columns: loudness in and out, true peak, latency and cost.
  package func values(cost: Double) throws -> [String] {
    let loudness = try input.map { try Self.levels(of: $0).loudness }
    let levels = try Self.levels(of: output)
    let milliseconds = String(format: "%.1f", Double(latency) / 48)
    return [
      loudness.map { String(format: "%.1f LUFS", $0) } ?? "none",
      String(format: "%.1f LUFS", levels.loudness),
      String(format: "%.1f dBTP", levels.truePeak),
      "\(milliseconds) ms",
      String(format: "%.1f %% of a core", 100 * cost),
    ]
  }
}
