/// A table of measurements: name, our figure, that of the floor or peer, the ratio and the aim.
struct Table {
  struct Row {
    var name: String
    var ours: Double?
    var reference: Double?
    /// The number that is compared with `aim`; nil for `ours / reference`.
    var ratio: Double?
    /// The most that `ratio` should be.
    var aim: Double?
    var remark = ""

    init(
      _ name: String, ours: Double?, reference: Double?, ratio: Double? = nil, aim: Double? = nil,
      remark: String = ""
    ) {
      self.name = name
      self.ours = ours
      self.reference = reference
      self.aim = aim
      self.remark = remark
      self.ratio = ratio ?? ours.flatMap { ours in reference.map { ours / $0 } }
    }
  }

  var title: String
  /// The unit of the columns: "ns per unit and cycle".
  var unit: String
  var reference = "floor"
  var rows: [Row] = []

  struct NoFigure: Error, CustomStringConvertible {
    var row: String
    var description: String { "\(row): no figure" }
  }

  /// Prints the table; in the short form only its title.
  ///
  /// - Throws: `NoFigure` for a row without a figure of ours.
  func show() throws {
    print("\n\(title) (\(unit))")
    for row in rows where row.ours?.isFinite != true { throw NoFigure(row: row.name) }
    guard !Measurement.isShort else { return print("  \(rows.count) rows measured") }
    let width = max(rows.map(\.name.count).max() ?? 0, 24)
    print(
      "  " + Self.left("", width) + Self.right("ours", 11) + Self.right(reference, 11)
        + Self.right("ratio", 8) + Self.right("aim", 8))
    for row in rows {
      var line = "  " + Self.left(row.name, width)
      line += Self.right(Self.number(row.ours), 11) + Self.right(Self.number(row.reference), 11)
      line += Self.right(Self.number(row.ratio), 8) + Self.right(Self.number(row.aim), 8)
      if let ratio = row.ratio, let aim = row.aim { line += ratio <= aim ? "  ok" : "  above aim" }
      print(row.remark.isEmpty ? line : "\(line)  \(row.remark)")
    }
  }

  /// Returns a number rounded to three digits, with at most three decimals.
  static func number(_ value: Double?) -> String {
    guard let value, value.isFinite else { return "-" }
    let digits = abs(value) >= 100 ? 0 : abs(value) >= 10 ? 1 : abs(value) >= 1 ? 2 : 3
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return digits == 0 ? "\(Int(rounded))" : "\(rounded)"
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
