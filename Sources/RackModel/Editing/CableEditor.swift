import Documents

/// Edits the chains of one rack.
struct CableEditor {
  /// The rack before the edit. The errors in its collector are reported elsewhere.
  private let context: RackContext

  init(_ rack: Rack, checker: RackChecker) {
    context = checker.context(for: rack, diagnostics: DiagnosticCollector(file: rack.file))
  }

  func connect(_ text: String, in file: inout Rack) throws(Refusal) {
    let chain = try Rack.Chain(text)
    let present = Set(links(of: file.connections).joined().compactMap(\.self))
    let wanted = try links(of: chain)
    if wanted.allSatisfy(present.contains) { throw Refusal("“\(text)” is connected already") }
    // Existing cables stay where they are written.
    let isNew = wanted.map { !present.contains($0) }
    file.connections += pieces(of: chain) { isNew[$0] }
  }

  func disconnect(_ text: String, in file: inout Rack) throws(Refusal) {
    let chain = try Rack.Chain(text)
    let wanted = try links(of: chain)
    let present = links(of: file.connections)
    for (arrow, link) in wanted.enumerated()
    where !present.joined().contains(where: { $0 == link }) {
      let (from, to) = (chain.endpoints[arrow].value, chain.endpoints[arrow + 1].value)
      throw Refusal("“\(from)” is not connected to “\(to)”")
    }
    let gone = Set(wanted)
    file.connections = zip(file.connections, present).flatMap { chain, ways in
      pieces(of: chain) { arrow in ways[arrow].map { !gone.contains($0) } ?? true }
    }
  }

  /// Inserts a new unit, which is not in the rack yet, into a cable.
  ///
  /// - Throws: `Refusal` where the text is not a single cable of the rack.
  func insert(_ name: String, into cable: String, in file: inout Rack) throws(Refusal) {
    let wanted = try links(of: try Rack.Chain(cable))
    guard wanted.count == 1, let link = wanted.first else {
      throw Refusal("“\(cable)” is more than one cable; write one, as in gate -> echo")
    }
    let present = links(of: file.connections)
    guard let chain = present.firstIndex(where: { $0.contains { $0 == link } }),
      let arrow = present[chain].firstIndex(where: { $0 == link })
    else { throw Refusal("there is no cable “\(cable)” in this rack") }
    file.connections[chain].endpoints.insert(Located(name), at: arrow + 1)
    file.connections[chain].arrows.insert(Located(.forward), at: arrow)
    // A file may have a cable twice.
    if links(of: file.connections).joined().contains(where: { $0 == link }) {
      try disconnect(cable, in: &file)
    }
  }

  /// Removes a unit from every chain.
  ///
  /// - Parameter isClosed: whether to connect the unit's sources to its destinations.
  func remove(_ name: String, in file: inout Rack, isClosed: Bool) {
    if isClosed {
      let closed = file.connections.map { $0.closed(over: name) }
      file.connections = closed + bridges(over: name, in: file.connections, beside: closed)
    }
    file.connections = file.connections.flatMap { pieces(of: $0, without: name) }
  }

  /// Returns a cable from each source to each destination of a unit where no bus is named, unless the cable
  /// exists.
  private func bridges(
    over name: String, in chains: [Rack.Chain], beside others: [Rack.Chain]
  ) -> [Rack.Chain] {
    var sources: [(text: String, arrow: Rack.Arrow)] = []
    var destinations: [(text: String, arrow: Rack.Arrow)] = []
    for chain in chains {
      let ends = context.ends(of: chain)
      for (arrow, kind) in chain.arrows.enumerated() {
        if ends[arrow + 1].text.value == name {
          sources.append((ends[arrow].textAsFirst, kind.value))
        }
        if ends[arrow].text.value == name {
          destinations.append((ends[arrow + 1].textAsLast, kind.value))
        }
      }
    }
    var present = Set(links(of: others).joined().compactMap(\.self))
    return sources.flatMap { source in
      destinations.compactMap { destination in
        let isFeedback = source.arrow == .feedback || destination.arrow == .feedback
        let bridge = Rack.Chain(
          endpoints: [Located(source.text), Located(destination.text)],
          arrows: [Located(isFeedback ? .feedback : .forward)])
        guard let link = try? links(of: bridge).first, present.insert(link).inserted else {
          return nil
        }
        return bridge
      }
    }
  }

  /// Returns the chains that are left when some arrows of a chain are removed.
  private func pieces(
    of chain: Rack.Chain, keeping keeps: (Int) -> Bool
  ) -> [Rack.Chain] {
    if chain.arrows.indices.allSatisfy(keeps) { return [chain] }
    let ends = context.ends(of: chain)
    return chain.arrows.indices.split(whereSeparator: { !keeps($0) }).compactMap { arrows in
      guard let first = arrows.first, let last = arrows.last else { return nil }
      var piece = Rack.Chain(
        endpoints: Array(chain.endpoints[first...(last + 1)]),
        arrows: arrows.map { chain.arrows[$0] })
      // A bus name can mean another bus at an end than in the middle.
      if first > 0 { piece.endpoints[0].value = ends[first].textAsFirst }
      if last + 1 < ends.count - 1 {
        piece.endpoints[arrows.count].value = ends[last + 1].textAsLast
      }
      return piece
    }
  }

  private func pieces(of chain: Rack.Chain, without name: String) -> [Rack.Chain] {
    pieces(of: chain) { arrow in
      chain.endpoints[arrow].value.chainUnitName != name
        && chain.endpoints[arrow + 1].value.chainUnitName != name
    }
  }

  /// Returns the cable of each arrow, chain by chain; nil for an arrow whose ends do not fit.
  private func links(of chains: [Rack.Chain]) -> [[ChainEnd.Link?]] {
    chains.map { chain in
      let ends = context.ends(of: chain)
      return chain.arrows.indices.map { ends[$0].link(to: ends[$0 + 1]) }
    }
  }

  /// Returns the cable of each arrow of a command's chain.
  ///
  /// - Throws: `Refusal` where a name is unknown, ends do not fit, or a unit is missing.
  private func links(of chain: Rack.Chain) throws(Refusal) -> [ChainEnd.Link] {
    var resolver = ConnectionResolver(context)
    resolver.context.diagnostics = DiagnosticCollector(file: "")
    resolver.resolve([chain])
    if let refusal = Refusal(resolver.context.diagnostics.diagnostics) { throw refusal }
    for end in context.ends(of: chain) {
      if case .unit? = end.owner, end.facts == nil {
        throw Refusal("“\(end.name)” is missing, so its cables stay as they are")
      }
    }
    return links(of: [chain]).joined().compactMap(\.self)
  }
}

extension Rack.Chain {
  /// Returns the chain without `name` in the middle, where no bus is named.
  fileprivate func closed(over name: String) -> Rack.Chain {
    var chain = self
    while let index = chain.endpoints.dropFirst().dropLast().firstIndex(where: { $0.value == name })
    {
      chain.endpoints.remove(at: index)
      if chain.arrows.remove(at: index).value == .feedback {
        chain.arrows[index - 1].value = .feedback
      }
    }
    return chain
  }
}
