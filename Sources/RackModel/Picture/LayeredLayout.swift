/// A layout of boxes in columns from left to right, such that cables run to the right and seldom cross (K.
/// Sugiyama, S. Tagawa and M. Toda, "Methods for visual understanding of hierarchical system structures",
/// 1981).
struct LayeredLayout {
  struct Box {
    var column: Int
    var height: Double
    /// The y coordinate of the middle.
    var y = 0.0
  }

  /// An edge from the right side of a box to the left side of a box in a column further right.
  struct Edge {
    var from: Int
    var to: Int
    /// The distance of the end below the middle of `to`.
    var offset = 0.0
    /// The boxes of height 0 that the edge passes, one in each column between its ends.
    var bends: [Int] = []
    /// Whether boxes move to straighten the edge; a control bends around them instead.
    var isStiff = true
  }

  /// A box at the other end of an edge, and the wanted distance of this box below its middle.
  private typealias Neighbour = (box: Int, offset: Double, isStiff: Bool)

  /// The boxes, followed by the bends of edges.
  private(set) var boxes: [Box]
  private(set) var edges: [Edge]
  /// The boxes of each column, from the top.
  private var columns: [[Int]] = []
  /// The neighbours of each box in the previous column, and in the next column.
  private var before: [[Neighbour]] = []
  private var behind: [[Neighbour]] = []

  private static let gap = 18.0

  init(_ boxes: [Box], _ edges: [Edge]) {
    (self.boxes, self.edges) = (boxes, edges)
    bendLongEdges()
    columns = Array(repeating: [], count: (boxes.map(\.column).max() ?? 0) + 1)
    for box in self.boxes.indices { columns[self.boxes[box].column].append(box) }
    link()
    sort()
    place()
  }

  private mutating func bendLongEdges() {
    for edge in edges.indices {
      let (first, last) = (boxes[edges[edge].from].column, boxes[edges[edge].to].column)
      for column in stride(from: first + 1, to: last, by: 1) {
        edges[edge].bends.append(boxes.count)
        boxes.append(Box(column: column, height: 0))
      }
    }
  }

  private mutating func link() {
    before = boxes.map { _ in [] }
    behind = before
    for edge in edges {
      let way = [edge.from] + edge.bends + [edge.to]
      for (left, right) in zip(way, way.dropFirst()) {
        let offset = right == edge.to ? edge.offset : 0
        before[right].append((left, -offset, edge.isStiff))
        behind[left].append((right, offset, edge.isStiff))
      }
    }
  }

  /// Sorts each column by the mean index of each box's neighbours.
  private mutating func sort() {
    var rank = boxes.map { _ in 0.0 }
    for column in columns {
      for (index, box) in column.enumerated() { rank[box] = Double(index) }
    }
    func sort(_ column: Int, by neighbours: [[Neighbour]]) {
      let wanted = columns[column].map { box in
        let places = neighbours[box].map { rank[$0.box] + $0.offset / 1000 }
        return places.isEmpty ? rank[box] : places.reduce(0, +) / Double(places.count)
      }
      let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
      columns[column] = order.map { columns[column][$0] }
      for (index, box) in columns[column].enumerated() { rank[box] = Double(index) }
    }
    for _ in 0..<4 {
      for column in columns.indices.dropFirst() { sort(column, by: before) }
      for column in columns.indices.dropLast().reversed() { sort(column, by: behind) }
    }
  }

  /// Moves each box to where its cables are straight, as far as the boxes above and below allow.
  private mutating func place() {
    for column in columns.indices { place(column, by: boxes.map { _ in [] }) }
    for _ in 0..<6 {
      for column in columns.indices.reversed() { place(column, by: behind) }
      for column in columns.indices { place(column, by: before) }
    }
  }

  /// Places a column by least squares in a fixed order: pools of boxes that touch (J. B. Kruskal,
  /// "Nonmetric multidimensional scaling: a numerical method", 1964).
  private mutating func place(
    _ column: Int, by neighbours: [[Neighbour]]
  ) {
    var pools: [(sum: Double, weight: Double, count: Int)] = []
    var distances: [Double] = []
    for (index, box) in columns[column].enumerated() {
      let last = index > 0 ? boxes[columns[column][index - 1]].height : 0
      distances.append(
        index == 0 ? 0 : distances[index - 1] + (last + boxes[box].height) / 2 + Self.gap)
      let stiff = neighbours[box].filter(\.isStiff)
      let places = (stiff.isEmpty ? neighbours[box] : stiff).map { boxes[$0.box].y + $0.offset }
      let wanted = places.isEmpty ? boxes[box].y : places.reduce(0, +) / Double(places.count)
      let weight = stiff.isEmpty ? 0.01 : 1
      pools.append(((wanted - distances[index]) * weight, weight, 1))
      while pools.count > 1, let upper = pools.dropLast().last, let lower = pools.last,
        upper.sum / upper.weight > lower.sum / lower.weight
      {
        pools.removeLast(2)
        pools.append(
          (upper.sum + lower.sum, upper.weight + lower.weight, upper.count + lower.count))
      }
    }
    let starts = pools.flatMap { pool in
      Array(repeating: pool.sum / pool.weight, count: pool.count)
    }
    for (index, box) in columns[column].enumerated() {
      boxes[box].y = starts[index] + distances[index]
    }
  }
}
