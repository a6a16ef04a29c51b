import UnitModel

extension Plan {
  /// Returns the rack's graph as an SVG picture on white, for light and dark pages.
  package func svg(_ catalogue: any UnitDirectory) -> String {
    RackPicture(self, catalogue: catalogue).svg
  }
}

extension RackPicture {
  private static let small = "font-size=\"10\" fill=\"#4a5662\""

  var svg: String {
    let base = fullHeight
    let legend = legend(at: base + 3)
    let whole = base + (legend.isEmpty ? 0 : 13)
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width.tenths)\" "
        + "height=\"\(whole.tenths)\" viewBox=\"0 0 \(width.tenths) \(whole.tenths)\" "
        + "role=\"img\" aria-labelledby=\"title desc\" "
        + "font-family=\"sans-serif\" font-size=\"11\">",
      "<title id=\"title\">\("\(title): ports, units and cables".escapedForXML)</title>",
      "<desc id=\"desc\">\(words.escapedForXML)</desc>",
      "<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"#ffffff\"/>",
    ]
    let all = Array(zip(cables, self.lines))
    for isFeedback in [false, true] {
      lines += all.filter { ($0.0.kind == .feedback) == isFeedback }.flatMap(drawn)
    }
    lines += boxes.flatMap(drawn)
    return (lines + legend + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func drawn(_ box: Box) -> [String] {
    let middle = box.inlets.isEmpty ? box.x + box.width / 2 : box.x + box.width - 8
    let anchor = box.inlets.isEmpty ? "middle" : "end"
    let base = box.y - (box.process.isEmpty ? 2 : 9)
    let labels = box.inlets.enumerated().map { index, name in
      let y = box.y + (Double(index) - Double(box.inlets.count - 1) / 2) * Self.rowHeight
      return text(name, box.x + 6, y + 3.5, "start", Self.small)
    }
    return [
      "<g><title>\(box.words.escapedForXML)</title>",
      "<rect x=\"\(box.x.tenths)\" y=\"\((box.y - box.height / 2).tenths)\" "
        + "width=\"\(box.width.tenths)\" height=\"\(box.height.tenths)\" "
        + "rx=\"\(box.isPort ? "20" : "5")\" "
        + "fill=\"\(box.isPort ? "#ffffff" : "#eef2f6")\" stroke=\"#5b6b7a\"/>",
      text(
        box.name, middle, base, anchor,
        "font-size=\"13\" font-weight=\"bold\" fill=\"#1b1f24\""),
      text(box.kind, middle, base + 14, anchor, "fill=\"#4a5662\""),
      box.process.isEmpty ? "" : text(box.process, middle, base + 28, anchor, Self.small),
    ].filter { !$0.isEmpty } + labels + ["</g>"]
  }

  private func drawn(_ cable: Cable, _ line: Line) -> [String] {
    let lines = [
      "<path d=\"\(line.path)\" fill=\"none\" \(cable.kind.style)/>",
      "<path d=\"\(line.arrow)\" fill=\"\(cable.kind.colour)\"/>",
    ]
    if cable.part.isEmpty || cable.kind == .feedback { return lines }
    let from = boxes[cable.from]
    let first = cable.bends.first.map { ($0.left, $0.y) } ?? end(of: cable)
    // The text is on the side that the cable does not come from.
    let beside = first.1 + (first.1 > from.y ? 13 : -5)
    return lines + [text(cable.part, first.0 - 9, beside, "end", Self.small)]
  }

  /// Returns a legend of the lines, below the graph; empty if all carry audio.
  private func legend(at top: Double) -> [String] {
    let kinds = Kind.allCases.filter { kind in cables.contains { $0.kind == kind } }
    guard kinds != [.audio] else { return [] }
    var x = Self.margin
    return kinds.flatMap { kind -> [String] in
      defer { x += 44 + Double(kind.rawValue.count) * 5.6 }
      return [
        "<path d=\"M\(x.tenths) \((top - 4).tenths)h22\" \(kind.style)/>",
        text(kind.rawValue, x + 27, top, "start", Self.small),
      ]
    }
  }

  private func text(
    _ text: String, _ x: Double, _ y: Double, _ anchor: String, _ style: String
  ) -> String {
    "<text x=\"\(x.tenths)\" y=\"\(y.tenths)\" text-anchor=\"\(anchor)\" \(style)>"
      + "\(text.escapedForXML)</text>"
  }
}

extension RackPicture.Kind {
  /// The colour of a line; people with any colour vision can tell these apart (Okabe and Ito, 2008).
  fileprivate var colour: String {
    switch self {
    case .audio: "#0072b2"
    case .sidechain: "#009e73"
    case .feedback: "#d55e00"
    case .midi, .control: "#b5578c"
    }
  }

  fileprivate var style: String {
    let dashes =
      switch self {
      case .audio: ""
      case .sidechain: " stroke-dasharray=\"9 3\""
      case .feedback: " stroke-dasharray=\"6 4\""
      case .midi: " stroke-dasharray=\"4 3\""
      case .control: " stroke-dasharray=\"1 3\""
      }
    return "stroke=\"\(colour)\" stroke-width=\"\(self == .control ? "1.5" : "2")\"\(dashes)"
  }
}
