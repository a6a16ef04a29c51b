import UnitModel

extension Plan {
  /// The rack's graph as a picture, for light and dark pages.
  package func svg(_ catalogue: any UnitDirectory) -> String {
    RackPicture(self, catalogue: catalogue).svg
  }
}

extension RackPicture {
  private static let small = "font-size=\"10\" fill=\"#4a5662\""

  var svg: String {
    let feedback = cables.filter { $0.kind == .feedback }
    let base = height + Double(feedback.count) * Self.feedbackHeight
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
    lines += cables.filter { $0.kind != .feedback }.flatMap(drawn)
    for (lane, cable) in feedback.enumerated() {
      let y = height - 4 + Double(lane) * Self.feedbackHeight
      lines += stroke(cable.kind, back(cable, lane: y), end: end(of: cable))
    }
    lines += boxes.flatMap(drawn)
    return (lines + legend + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func drawn(_ box: Box) -> [String] {
    let middle = box.inlets.isEmpty ? box.x + box.width / 2 : box.x + box.width - 8
    let anchor = box.inlets.isEmpty ? "middle" : "end"
    let base = box.y - (box.process.isEmpty ? 2 : 9)
    let labels = box.inlets.enumerated().map { place, name in
      let y = box.y + (Double(place) - Double(box.inlets.count - 1) / 2) * Self.rowHeight
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

  private func drawn(_ cable: Cable) -> [String] {
    let from = boxes[cable.from]
    var path = "M\((from.x + from.width).tenths) \(from.y.tenths)"
    var last = (x: from.x + from.width, y: from.y)
    func curve(to x: Double, _ y: Double) {
      let middle = (last.x + x) / 2
      path +=
        y == last.y
        ? "L\(x.tenths) \(y.tenths)"
        : "C\(middle.tenths) \(last.y.tenths) \(middle.tenths) \(y.tenths) \(x.tenths) \(y.tenths)"
      last = (x, y)
    }
    let end = end(of: cable)
    for bend in cable.bends.dropLast(cable.kind == .control ? 1 : 0) {
      curve(to: bend.left, bend.y)
      curve(to: bend.right, bend.y)
    }
    if cable.kind == .control, let below = cable.bends.last {
      curve(to: end.x - 10, below.y)
      path += "Q\(end.x.tenths) \(below.y.tenths) \(end.x.tenths) \(end.y.tenths)"
    } else {
      curve(to: end.x, end.y)
    }
    var lines = stroke(cable.kind, path, end: end)
    if !cable.part.isEmpty {
      let first = cable.bends.first.map { ($0.left, $0.y) } ?? (end.x, end.y)
      // On the side that the cable does not come from.
      let beside = first.1 + (first.1 > from.y ? 13 : -5)
      lines.append(text(cable.part, first.0 - 9, beside, "end", Self.small))
    }
    return lines
  }

  /// The path of a feedback cable: below all boxes.
  private func back(_ cable: Cable, lane: Double) -> String {
    let from = boxes[cable.from]
    let (right, end) = (from.x + from.width, end(of: cable))
    return "M\(right.tenths) \(from.y.tenths)"
      + "C\((right + 22).tenths) \(from.y.tenths) \((right + 22).tenths) \(lane.tenths) "
      + "\(right.tenths) \(lane.tenths)L\(end.x.tenths) \(lane.tenths)"
      + "C\((end.x - 22).tenths) \(lane.tenths) \((end.x - 22).tenths) \(end.y.tenths) "
      + "\(end.x.tenths) \(end.y.tenths)"
  }

  /// The point of a cable's arrow, and where its tail is: left of it, or below or above.
  private typealias End = (x: Double, y: Double, tail: (x: Double, y: Double))

  private func end(of cable: Cable) -> End {
    let box = boxes[cable.to]
    guard cable.kind == .control else { return (box.x, box.y + cable.offset, (-7, 0)) }
    let side = (cable.bends.last?.y ?? 0) < box.y ? -1.0 : 1
    return (box.x + box.width / 2, box.y + side * box.height / 2, (0, 7 * side))
  }

  private func stroke(_ kind: Kind, _ path: String, end: End) -> [String] {
    let (x, y) = (end.x + end.tail.x, end.y + end.tail.y)
    // Half the arrow's width, across its direction.
    let (across, along) = (end.tail.y / 2, end.tail.x / 2)
    let arrow =
      "M\((x - across).tenths) \((y - along).tenths)L\(end.x.tenths) \(end.y.tenths)"
      + "L\((x + across).tenths) \((y + along).tenths)z"
    return [
      "<path d=\"\(path)\" fill=\"none\" \(kind.style)/>",
      "<path d=\"\(arrow)\" fill=\"\(kind.colour)\"/>",
    ]
  }

  /// What the lines mean, below the graph; empty where all carry sound alone.
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
  /// Colours that people with any colour vision tell apart: Okabe and Ito, 2008.
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
