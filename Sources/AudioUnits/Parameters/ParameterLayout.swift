import UnitModel

/// The nodes of a tree in order: each group before its children, and a group's children together,
/// so a group's parameters are a range.
struct ParameterLayout: Sendable {
  struct Node: Sendable {
    let identifier: String
    let name: String
    let keyPath: String
    /// The parent's index; nil for the root.
    let parent: Int?
    var children: [Int] = []
    /// The parameters at this node and below it.
    var parameters: Range<Int>
  }

  struct Row: Sendable {
    let info: ParameterInfo
    let address: UInt64
    let node: Int
    /// The template instance that the parameter belongs to; otherwise the root.
    let instance: Int
  }

  private(set) var nodes: [Node]
  private(set) var rows: [Row] = []
  /// Node indices by key path; for duplicate key paths or addresses, the first node counts.
  private(set) var nodeByKeyPath: [String: Int] = [:]
  private(set) var rowByAddress: [UInt64: Int] = [:]
  /// The first error found.
  private(set) var problem: ParameterTreeError?

  init(_ children: [ParameterDefinition], name: String) {
    nodes = [Node(identifier: "", name: name, keyPath: "", parent: nil, parameters: 0..<0)]
    add(children, to: 0, instance: 0, addressOffset: 0)
  }

  private mutating func add(
    _ children: [ParameterDefinition], to parent: Int, instance: Int, addressOffset: UInt64
  ) {
    for child in children {
      let node = nodes.count
      switch child {
      case .parameter(let info, let address):
        append(info.identifier, name: info.name, parent: parent)
        append(
          Row(info: info, address: address &+ addressOffset, node: node, instance: instance))
      case .group(let identifier, let name, let children):
        append(identifier, name: name, parent: parent)
        add(children, to: node, instance: instance, addressOffset: addressOffset)
      case .instance(let template, let identifier, let name, let offset):
        append(identifier, name: name, parent: parent)
        add(template.children, to: node, instance: node, addressOffset: addressOffset &+ offset)
      }
    }
    nodes[parent].parameters = nodes[parent].parameters.lowerBound..<rows.count
  }

  private mutating func append(_ identifier: String, name: String, parent: Int) {
    let path = parent == 0 ? identifier : "\(nodes[parent].keyPath).\(identifier)"
    let isAllowed = identifier.utf8.allSatisfy { byte in
      let scalar = UnicodeScalar(byte)
      return scalar.properties.isAlphabetic && scalar.isASCII || ("0"..."9").contains(scalar)
        || scalar == "_"
    }
    if identifier.isEmpty || !isAllowed {
      report(path, "“\(identifier)” is not an identifier, which has letters, digits and _")
    }
    if nodeByKeyPath[path] == nil {
      nodeByKeyPath[path] = nodes.count
    } else {
      report(path, "the key path is there twice")
    }
    nodes[parent].children.append(nodes.count)
    nodes.append(
      Node(
        identifier: identifier, name: name, keyPath: path, parent: parent,
        parameters: rows.count..<rows.count))
  }

  private mutating func append(_ row: Row) {
    let path = nodes[row.node].keyPath
    if let other = rowByAddress[row.address] {
      report(path, "address \(row.address) is that of \(nodes[rows[other].node].keyPath), too")
    } else {
      rowByAddress[row.address] = rows.count
    }
    let info = row.info
    if !(info.minimum < info.maximum) || !info.minimum.isFinite || !info.maximum.isFinite {
      report(path, "the range \(info.minimum) to \(info.maximum) is empty or not finite")
    } else if !(info.minimum...info.maximum).contains(info.defaultValue) {
      report(path, "its default \(info.defaultValue) lies outside of its range")
    }
    rows.append(row)
    nodes[row.node].parameters = rows.count - 1..<rows.count
  }

  private mutating func report(_ keyPath: String, _ reason: String) {
    problem = problem ?? ParameterTreeError(keyPath: keyPath, reason: reason)
  }
}
