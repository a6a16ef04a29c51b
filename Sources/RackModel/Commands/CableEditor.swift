import Documents

/// Edits the chains of one rack.
struct CableEditor {
  /// Of the rack before the edit: what the chains can name.
  private let resolver: ConnectionResolver
  private let fileName: String

  init(_ rack: RackFile, checker: RackChecker) {
    var diagnostics = DiagnosticCollector(file: rack.file)
    resolver = checker.resolver(for: rack, diagnostics: &diagnostics)
    fileName = rack.file
  }

  func connect(_ text: String, in file: inout RackFile) throws(Refusal) {
    let chain = try ConnectionEntry(written: text)
    let present = Set(ways(of: file.connections).joined().compactMap(\.self))
    let wanted = try ways(of: chain)
    if wanted.allSatisfy(present.contains) { throw Refusal("“\(text)” is connected already") }
    // The cables that are there stay where they are written.
    let isNew = wanted.map { !present.contains($0) }
    file.connections += pieces(of: chain) { isNew[$0] }
  }

  func disconnect(_ text: String, in file: inout RackFile) throws(Refusal) {
    let chain = try ConnectionEntry(written: text)
    let wanted = try ways(of: chain)
    let present = ways(of: file.connections)
    for (arrow, way) in wanted.enumerated()
    where !present.joined().contains(where: { $0 == way }) {
      let (from, to) = (chain.endpoints[arrow].value, chain.endpoints[arrow + 1].value)
      throw Refusal("“\(from)” is not connected to “\(to)”")
    }
    let gone = Set(wanted)
    file.connections = zip(file.connections, present).flatMap { chain, ways in
      pieces(of: chain) { arrow in ways[arrow].map { !gone.contains($0) } ?? true }
    }
  }

  /// Puts a new unit, of which the rack knows nothing yet, into a cable.
  func insert(_ name: String, into cable: String, in file: inout RackFile) throws(Refusal) {
    let wanted = try ways(of: try ConnectionEntry(written: cable))
    guard wanted.count == 1, let way = wanted.first else {
      throw Refusal("“\(cable)” is more than one cable; write one, as in gate -> echo")
    }
    let present = ways(of: file.connections)
    guard let chain = present.firstIndex(where: { $0.contains { $0 == way } }),
      let arrow = present[chain].firstIndex(where: { $0 == way })
    else { throw Refusal("there is no cable “\(cable)” in this rack") }
    file.connections[chain].endpoints.insert(.edited(name), at: arrow + 1)
    file.connections[chain].arrows.insert(.edited(.forward), at: arrow)
    // A file may have a cable twice.
    if ways(of: file.connections).joined().contains(where: { $0 == way }) {
      try disconnect(cable, in: &file)
    }
  }

  /// Takes a unit's name out of every chain. `isClosed`: what led to it leads on to where it led.
  func remove(_ name: String, in file: inout RackFile, isClosed: Bool) {
    if isClosed {
      let closed = file.connections.map { $0.closed(over: name) }
      file.connections = closed + bridges(over: name, in: file.connections, beside: closed)
    }
    file.connections = file.connections.flatMap { pieces(of: $0, without: name) }
  }

  /// A cable for each way through a unit that names no bus of its, but those that there are.
  private func bridges(
    over name: String, in chains: [ConnectionEntry], beside others: [ConnectionEntry]
  ) -> [ConnectionEntry] {
    var sources: [(text: String, arrow: Arrow)] = []
    var destinations: [(text: String, arrow: Arrow)] = []
    for chain in chains {
      let ends = ends(of: chain)
      for (arrow, kind) in chain.arrows.enumerated() {
        if ends[arrow + 1].text.value == name {
          sources.append((ends[arrow].textAsFirst, kind.value))
        }
        if ends[arrow].text.value == name {
          destinations.append((ends[arrow + 1].textAsLast, kind.value))
        }
      }
    }
    var present = Set(ways(of: others).joined().compactMap(\.self))
    return sources.flatMap { source in
      destinations.compactMap { destination in
        let isFeedback = source.arrow == .feedback || destination.arrow == .feedback
        let bridge = ConnectionEntry(
          endpoints: [.edited(source.text), .edited(destination.text)],
          arrows: [.edited(isFeedback ? .feedback : .forward)])
        guard let way = try? ways(of: bridge).first, present.insert(way).inserted else {
          return nil
        }
        return bridge
      }
    }
  }

  /// What is left of a chain when some of its arrows go: chains of two names or more.
  private func pieces(
    of chain: ConnectionEntry, keeping keeps: (Int) -> Bool
  ) -> [ConnectionEntry] {
    if chain.arrows.indices.allSatisfy(keeps) { return [chain] }
    let ends = ends(of: chain)
    return chain.arrows.indices.split(whereSeparator: { !keeps($0) }).compactMap { arrows in
      guard let first = arrows.first, let last = arrows.last else { return nil }
      var piece = ConnectionEntry(
        endpoints: Array(chain.endpoints[first...(last + 1)]),
        arrows: arrows.map { chain.arrows[$0] })
      // A bus means something else at an end than in the middle.
      if first > 0 { piece.endpoints[0].value = ends[first].textAsFirst }
      if last + 1 < ends.count - 1 {
        piece.endpoints[arrows.count].value = ends[last + 1].textAsLast
      }
      return piece
    }
  }

  private func pieces(of chain: ConnectionEntry, without name: String) -> [ConnectionEntry] {
    pieces(of: chain) { arrow in
      chain.endpoints[arrow].value.chainUnitName != name
        && chain.endpoints[arrow + 1].value.chainUnitName != name
    }
  }

  /// Of each chain, arrow by arrow.
  private func ways(of chains: [ConnectionEntry]) -> [[ChainEnd.Way?]] {
    chains.map { chain in
      let ends = ends(of: chain)
      return chain.arrows.indices.map { ends[$0].way(to: ends[$0 + 1]) }
    }
  }

  /// What is wrong with a name has been said, or will be.
  private func ends(of chain: ConnectionEntry) -> [ChainEnd] {
    var diagnostics = DiagnosticCollector(file: fileName)
    return resolver.ends(of: chain, diagnostics: &diagnostics)
  }

  /// What a chain that somebody wrote leads, arrow by arrow.
  private func ways(of chain: ConnectionEntry) throws(Refusal) -> [ChainEnd.Way] {
    var diagnostics = DiagnosticCollector(file: fileName)
    var resolver = resolver
    resolver.resolve([chain], diagnostics: &diagnostics)
    if let refusal = Refusal(diagnostics.diagnostics) { throw refusal }
    for end in ends(of: chain) {
      if case .unit? = end.owner, end.facts == nil {
        throw Refusal("“\(end.name)” is missing, so its cables stay as they are")
      }
    }
    return ways(of: [chain]).joined().compactMap(\.self)
  }
}

extension ConnectionEntry {
  /// Without the name, where it stands alone in the middle.
  fileprivate func closed(over name: String) -> ConnectionEntry {
    var chain = self
    while let place = chain.endpoints.dropFirst().dropLast().firstIndex(where: { $0.value == name })
    {
      chain.endpoints.remove(at: place)
      if chain.arrows.remove(at: place).value == .feedback {
        chain.arrows[place - 1].value = .feedback
      }
    }
    return chain
  }
}
