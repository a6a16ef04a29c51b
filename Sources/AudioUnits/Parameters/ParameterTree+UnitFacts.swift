import UnitModel

extension ParameterTree {
  /// Creates the parameters of a unit with `inputBusCount` input busses (nil: the declared count),
  /// each at its default. Parameters that exist once per bus come first, in one group per bus.
  public convenience init(_ facts: UnitFacts, inputBusCount: Int? = nil) {
    let rows = facts.parameters.enumerated().map { index, info in
      TableRow(
        info: info, address: ParameterReference.address(index: index),
        path: info.group?.split(separator: ".") ?? [])
    }
    let names = facts.parameterGroupNames
    let template = ParameterGroupTemplate(
      children: Self.definitions(of: rows.filter(\.info.isPerInputBus), names: names))
    let busses = template.children.isEmpty ? [] : facts.inputBusNames(count: inputBusCount)
    let strips = busses.enumerated().map { bus, name in
      ParameterDefinition.instance(
        of: template, identifier: name, name: name,
        addressOffset: ParameterReference.address(index: 0, inputBus: bus))
    }
    let others = Self.definitions(of: rows.filter { !$0.info.isPerInputBus }, names: names)
    self.init(ParameterLayout(strips + others, name: facts.name))
  }

  private struct TableRow {
    let info: ParameterInfo
    let address: UInt64
    /// The groups that have not been entered yet.
    var path: [Substring]
  }

  /// Returns the nodes of a table's rows; a group stands at the position of its first row.
  private static func definitions(
    of rows: [TableRow], in parent: String = "", names: [String: String]
  ) -> [ParameterDefinition] {
    let groups = Dictionary(grouping: rows) { $0.path.first }
    var seen: Set<Substring> = []
    return rows.compactMap { row in
      guard let group = row.path.first else { return .parameter(row.info, address: row.address) }
      guard seen.insert(group).inserted else { return nil }
      let keyPath = parent.isEmpty ? String(group) : "\(parent).\(group)"
      let inside = (groups[group] ?? []).map { row in
        var row = row
        row.path.removeFirst()
        return row
      }
      return .group(
        String(group), name: names[keyPath] ?? String(group),
        children: definitions(of: inside, in: keyPath, names: names))
    }
  }
}
