import Documents

extension Rack {
  /// Reads a rack file as far as possible; nil where nothing can be read. The diagnostics of its form are
  /// in order of position.
  public static func read(
    _ bytes: some Sequence<UInt8>, file: String
  ) -> (rack: Rack?, diagnostics: [Diagnostic]) {
    let diagnostics = DiagnosticCollector(file: file)
    let rack = root(of: bytes, diagnostics).flatMap { root -> Rack? in
      if let key = root.pairs.first(where: { $0.key.value == "setlist" })?.key {
        diagnostics.error(
          key.position, "this is a set list, not a rack; “backline run” plays it, song by song")
        return nil
      }
      var rack = Rack(file: file)
      diagnostics.read(root.pairs, into: &rack, at: root.position)
      return rack
    }
    return (rack, diagnostics.diagnostics.inOrder())
  }

  /// Whether both racks have the same content, in any order and at any positions.
  func saysTheSame(as other: Rack) -> Bool {
    func ordered(_ rack: Rack) -> YAMLValue {
      var rack = rack
      rack.connections.sort { $0.text < $1.text }
      return rack.tree.sortedByKey
    }
    return ordered(self) == ordered(other)
  }
}
