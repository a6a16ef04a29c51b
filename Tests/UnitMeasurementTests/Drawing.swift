import Foundation
import FoundationXML
import UnitMeasurement

/// The points of the lines in an SVG picture.
final class Drawing: NSObject, XMLParserDelegate {
  var curves: [[Plot.Point]] = []

  init(_ data: Data) throws {
    super.init()
    let parser = XMLParser(data: data)
    parser.delegate = self
    if !parser.parse() { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func parser(
    _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    guard element == "polyline" else { return }
    curves.append(
      (attributes["points"] ?? "").split(separator: " ").compactMap { pair in
        let numbers = pair.split(separator: ",").compactMap { Double($0) }
        return numbers.count == 2 ? Plot.Point(numbers[0], numbers[1]) : nil
      })
  }
}
