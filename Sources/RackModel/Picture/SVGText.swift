/// Formats numbers and text for SVG.
extension Double {
  package var roundedToTenths: Double { (self * 10).rounded() / 10 }

  /// The text with at most one decimal: "12.3", "12".
  package var tenths: String {
    let text = roundedToTenths.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension String {
  package var escapedForXML: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}
