import Foundation
import RackModel

/// The plot as an SVG picture.
extension Plot {
  private static let size = (width: 720.0, height: 400.0)
  /// The area within the axes.
  private static let area = (left: 64.0, top: 40.0, right: 704.0, bottom: 348.0)
  /// The colours, distinguishable with any colour vision: Okabe and Ito, 2008.
  private static let colours = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
  ]

  /// Returns a curve in the picture's coordinates, in tenths. Values beyond the axis lie just beyond
  /// its end.
  package func pixels(of curve: Curve) -> [Point] {
    curve.points.map { point in
      let y = min(max(self.y.share(point.y), -0.02), 1.02)
      return Point(horizontal(point.x).roundedToTenths, vertical(share: y).roundedToTenths)
    }
  }

  package var svg: String {
    let (width, height) = Self.size
    let area = Self.area
    let frame =
      "x=\"\(area.left.tenths)\" y=\"\(area.top.tenths)\" "
      + "width=\"\((area.right - area.left).tenths)\" height=\"\((area.bottom - area.top).tenths)\""
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width.tenths) \(height.tenths)\" "
        + "font-family=\"sans-serif\" font-size=\"12\">",
      "<title>\(title.escapedForXML)</title>",
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
      "<clipPath id=\"area\"><rect \(frame)/></clipPath>",
    ]
    lines += grid
    lines.append("<rect \(frame) fill=\"none\" stroke=\"#444444\"/>")
    lines += curves.enumerated().flatMap(drawn)
    lines.append(
      text(x.title, (area.left + area.right) / 2, height - 14, anchor: "middle"))
    let middle = (area.top + area.bottom) / 2
    lines.append(
      "<text transform=\"translate(16 \(middle.tenths)) rotate(-90)\" text-anchor=\"middle\">"
        + "\(y.title.escapedForXML)</text>")
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  private var grid: [String] {
    let area = Self.area
    let columns = x.ticks.flatMap { tick in
      let place = horizontal(tick)
      return [
        rule(place, area.top, place, area.bottom),
        text(label(tick), place, area.bottom + 18, anchor: "middle"),
      ]
    }
    let rows = y.ticks.flatMap { tick in
      let place = vertical(share: y.share(tick))
      return [
        rule(area.left, place, area.right, place),
        text(label(tick), area.left - 8, place + 4, anchor: "end"),
      ]
    }
    return columns + rows
  }

  /// Returns the line of a curve, and its name above the area.
  private func drawn(_ index: Int, _ curve: Curve) -> [String] {
    let colour = Self.colours[index % Self.colours.count]
    let points = pixels(of: curve).map { "\($0.x.tenths),\($0.y.tenths)" }
    let place =
      Self.area.left + (Self.area.right - Self.area.left) / Double(curves.count)
      * Double(index)
    return [
      "<polyline clip-path=\"url(#area)\" fill=\"none\" stroke=\"\(colour)\" stroke-width=\"2\" "
        + "stroke-linejoin=\"round\" points=\"\(points.joined(separator: " "))\"/>",
      "<rect x=\"\(place.tenths)\" y=\"19\" width=\"18\" height=\"4\" fill=\"\(colour)\"/>",
      text(curve.name, place + 24, 25, anchor: "start"),
    ]
  }

  private func horizontal(_ value: Double) -> Double {
    Self.area.left + x.share(value) * (Self.area.right - Self.area.left)
  }

  private func vertical(share: Double) -> Double {
    Self.area.bottom - share * (Self.area.bottom - Self.area.top)
  }

  private func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
    "<path d=\"M\(x1.tenths) \(y1.tenths)L\(x2.tenths) \(y2.tenths)\" stroke=\"#dddddd\"/>"
  }

  private func text(_ text: String, _ x: Double, _ y: Double, anchor: String) -> String {
    "<text x=\"\(x.tenths)\" y=\"\(y.tenths)\" text-anchor=\"\(anchor)\">\(text.escapedForXML)</text>"
  }

  /// Returns a tick's label; "2k" for 2000.
  private func label(_ tick: Double) -> String {
    abs(tick) >= 1000 ? "\((tick / 1000).tenths)k" : String(format: "%.4g", tick)
  }
}
