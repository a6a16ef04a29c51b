/// Draws the cables of a picture as SVG paths.
extension RackPicture {
  struct Line {
    var path: String
    /// The path of the arrowhead, to be filled.
    var arrow: String
  }

  /// The line of each cable.
  var lines: [Line] {
    var lane = height - 4
    return cables.map { cable in
      guard cable.kind == .feedback else {
        return Line(path: forth(cable), arrow: arrow(of: cable))
      }
      defer { lane += Self.feedbackHeight }
      return Line(path: back(cable, lane: lane), arrow: arrow(of: cable))
    }
  }

  /// The height with the lanes of feedback cables below the boxes.
  var fullHeight: Double {
    height + Double(cables.count { $0.kind == .feedback }) * Self.feedbackHeight
  }

  private func forth(_ cable: Cable) -> String {
    let from = boxes[cable.from]
    var path = "M\((from.x + from.width).tenths) \(from.y.tenths)"
    var last = (x: from.x + from.width, y: from.y)
    func curve(to x: Double, _ y: Double) {
      // A cable to a box further left goes around.
      let reach = x >= last.x ? (x - last.x) / 2 : Self.margin * 3
      path +=
        y == last.y && x >= last.x
        ? "L\(x.tenths) \(y.tenths)"
        : "C\((last.x + reach).tenths) \(last.y.tenths) \((x - reach).tenths) \(y.tenths) "
          + "\(x.tenths) \(y.tenths)"
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
    return path
  }

  /// Returns the path of a feedback cable, below all boxes.
  private func back(_ cable: Cable, lane: Double) -> String {
    let from = boxes[cable.from]
    let (right, end) = (from.x + from.width, end(of: cable))
    return "M\(right.tenths) \(from.y.tenths)"
      + "C\((right + 22).tenths) \(from.y.tenths) \((right + 22).tenths) \(lane.tenths) "
      + "\(right.tenths) \(lane.tenths)L\(end.x.tenths) \(lane.tenths)"
      + "C\((end.x - 22).tenths) \(lane.tenths) \((end.x - 22).tenths) \(end.y.tenths) "
      + "\(end.x.tenths) \(end.y.tenths)"
  }

  /// Returns the tip of a cable's arrow.
  func end(of cable: Cable) -> (x: Double, y: Double) {
    let box = boxes[cable.to]
    guard cable.kind == .control else { return (box.x, box.y + cable.offset) }
    return (box.x + box.width / 2, box.y + side(of: cable) * box.height / 2)
  }

  /// Returns -1 if a control's arrow enters its box from above, and 1 if from below.
  private func side(of cable: Cable) -> Double {
    (cable.bends.last?.y ?? 0) < boxes[cable.to].y ? -1 : 1
  }

  private func arrow(of cable: Cable) -> String {
    let end = end(of: cable)
    let tail = cable.kind == .control ? (x: 0.0, y: 7 * side(of: cable)) : (x: -7.0, y: 0.0)
    let (x, y) = (end.x + tail.x, end.y + tail.y)
    // Half the arrow's width, across its direction.
    let (across, along) = (tail.y / 2, tail.x / 2)
    return "M\((x - across).tenths) \((y - along).tenths)L\(end.x.tenths) \(end.y.tenths)"
      + "L\((x + across).tenths) \((y + along).tenths)z"
  }
}
