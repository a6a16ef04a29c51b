import Documents

extension UnitFacts {
  /// Whether channel capabilities ignore the input bus: it is optional, and others are not.
  ///
  /// A sidechain has any count up to its default. If all input busses are optional (a mixer's),
  /// none is a sidechain.
  public func isSidechain(_ bus: Int) -> Bool {
    inputBus(at: bus)?.isOptional == true && !inputBusses.allSatisfy(\.isOptional)
  }

  /// Resolves the channel counts of all busses from the connected channels.
  ///
  /// `sources` has the widest source of each input bus, nil if nothing is connected; `output`
  /// requests an output width. A source of one channel feeds any width. One of the unit's
  /// capabilities must allow each input bus and the output together; if they leave a choice, the
  /// output has its default width. A sidechain is as wide as its source. An output bus declared
  /// with another width than the first has that width.
  public func channelCounts(
    sources: [Int?], output: Int? = nil
  ) throws(Refusal) -> ChannelCounts {
    if let counts = resolvedCounts(sources: sources, output: output) { return counts }
    throw refusal(sources: sources, output: output)
  }

  private func resolvedCounts(sources: [Int?], output: Int?) -> ChannelCounts? {
    for width in candidateOutputs(sources: main(sources), asked: output) {
      let inputs = sources.enumerated().compactMap { bus, source in
        isSidechain(bus)
          ? sidechainCount(ofBus: bus, source: source)
          : inputCount(ofBus: bus, source: source, output: width)
      }
      if inputs.count == sources.count, !inputs.isEmpty || allowsNoInput(output: width) {
        let usual = outputBusses.first?.defaultChannelCount
        let outputs = outputBusses.map(\.defaultChannelCount).map { $0 == usual ? width : $0 }
        return ChannelCounts(inputs: inputs, outputs: outputs)
      }
    }
    return nil
  }

  /// Returns the output's channels for exactly these input busses; nil if the unit does not accept
  /// them.
  public func outputChannels(forInputs inputs: [Int]) -> Int? {
    let inputs = main(inputs)
    return candidateOutputs(sources: inputs, asked: nil).first { width in
      inputs.isEmpty
        ? allowsNoInput(output: width) : inputs.allSatisfy { allows(input: $0, output: width) }
    }
  }

  /// Checks that the unit accepts these channel counts, one for each bus, together.
  public func checkChannels(inputs: [Int], outputs: [Int]) throws(Refusal) {
    for (bus, count) in inputs.enumerated()
    where isSidechain(bus) && !possibleInputCounts(ofBus: bus).contains(count) {
      throw refusal(ofSidechain: bus, count: count)
    }
    let inputs = main(inputs)
    for output in outputs {
      let isAllowed =
        inputs.isEmpty
        ? allowsNoInput(output: output) : inputs.allSatisfy { allows(input: $0, output: output) }
      guard isAllowed, channelRange.contains(output) else {
        throw Refusal(
          inputs.isEmpty
            ? "does not make \(Self.counted([output]))"
            : "does not take \(Self.list(inputs, joined: "and")) in with \(output) out; its channel"
              + " capabilities are \(capabilitiesText)")
      }
    }
  }

  private var capabilitiesText: String {
    capabilities.map { "[\($0.input), \($0.output)]" }.joined(separator: ", ")
  }

  /// Returns the values without the sidechains'.
  private func main<Value>(_ ofBusses: [Value]) -> [Value] {
    ofBusses.enumerated().filter { !isSidechain($0.offset) }.map(\.element)
  }

  private func sidechainCount(ofBus bus: Int, source: Int?) -> Int? {
    let maximum = inputBus(at: bus)?.defaultChannelCount ?? 1
    return source.map { $0 <= maximum ? $0 : nil } ?? maximum
  }

  private func refusal(ofSidechain bus: Int, count: Int) -> Refusal {
    Refusal(
      "takes \(Self.counted(possibleInputCounts(ofBus: bus))) on"
        + " “\(inputBus(at: bus)?.name ?? "")”, not \(count)")
  }

  /// Whether one of the capabilities accepts these counts together.
  public func allows(input: Int, output: Int) -> Bool {
    capabilities.contains { $0.allows(input: input, output: output) }
  }

  /// The possible channel counts of an input bus.
  public var possibleInputCounts: [Int] {
    channelRange.filter { width in capabilities.contains { $0.allows(input: width) } }
  }

  /// Returns the possible channel counts of this input bus.
  public func possibleInputCounts(ofBus bus: Int) -> [Int] {
    guard isSidechain(bus), let info = inputBus(at: bus) else { return possibleInputCounts }
    return Array(1...info.defaultChannelCount)
  }

  /// The possible channel counts of an output bus.
  public var possibleOutputCounts: [Int] {
    channelRange.filter { width in
      capabilities.contains { $0.output < 0 || $0.output == width }
    }
  }

  private var capabilities: [ChannelCapability] {
    channelCapabilities.isEmpty
      ? [ChannelCapability(input: ChannelCapability.same, output: ChannelCapability.same)]
      : channelCapabilities
  }

  private var channelRange: ClosedRange<Int> { 1...Self.maximumChannelCount }

  private func allowsNoInput(output: Int) -> Bool {
    capabilities.contains { $0.input <= 0 && ($0.output < 0 || $0.output == output) }
  }

  /// Returns output widths worth trying, the likeliest first.
  private func candidateOutputs(sources: [Int?], asked: Int?) -> [Int] {
    if let asked { return channelRange.contains(asked) ? [asked] : [] }
    let usual = outputBusses.first?.defaultChannelCount ?? 1
    let widest =
      sources.compactMap(\.self).max() ?? inputBusses.first?.defaultChannelCount ?? usual
    let natural = capabilities.filter { $0.allows(input: widest) || sources.isEmpty }.map {
      capability in
      if capability.output > 0 { return capability.output }
      return capability.output == ChannelCapability.same
        && capability.input == ChannelCapability.same && !sources.isEmpty ? widest : usual
    }
    let widenable = sources.allSatisfy { ($0 ?? 1) == 1 }
    // If the unit accepts several counts, prefer its default, or else its input's count.
    let preferred = [usual, widest].filter(natural.contains)
    return preferred + natural + (widenable ? [usual] + Array(channelRange) : [])
  }

  /// Returns the channel count of an input bus beside an output of `output` channels, given its
  /// source.
  private func inputCount(ofBus bus: Int, source: Int?, output: Int) -> Int? {
    let declared = inputBus(at: bus)?.defaultChannelCount ?? 1
    let wanted: [Int] =
      switch source {
      case .some(1): [1, output, declared] + Array(channelRange)
      case .some(let count): [count]
      case nil: [declared, output] + Array(channelRange)
      }
    return wanted.first { channelRange.contains($0) && allows(input: $0, output: output) }
  }

  private func refusal(sources: [Int?], output: Int?) -> Refusal {
    for (bus, source) in sources.enumerated() where isSidechain(bus) {
      if let source, sidechainCount(ofBus: bus, source: source) == nil {
        return refusal(ofSidechain: bus, count: source)
      }
    }
    let given = Set(main(sources).compactMap(\.self)).sorted()
    if let output {
      let possible = channelRange.filter { resolvedCounts(sources: sources, output: $0) != nil }
      if !possible.isEmpty || given.isEmpty {
        let from = given.isEmpty ? "" : " from \(Self.counted(given))"
        return Refusal("makes \(Self.counted(possible))\(from), not \(output)")
      }
    }
    let possible = possibleInputCounts
    if given.count > 1, given.allSatisfy(possible.contains) {
      return Refusal(
        "takes the same number of channels on every input, not "
          + Self.list(given, joined: "and"))
    }
    return Refusal("takes \(Self.counted(possible)), not \(Self.list(given, joined: "and"))")
  }

  /// Returns the counts as text: "1 or 2 channels".
  public static func counted(_ counts: [Int]) -> String {
    if counts.isEmpty { return "no channels" }
    if counts.count == maximumChannelCount { return "1 to \(maximumChannelCount) channels" }
    return list(counts, joined: "or") + (counts == [1] ? " channel" : " channels")
  }

  private static func list(_ counts: [Int], joined word: String) -> String {
    guard let last = counts.last, counts.count > 1 else {
      return counts.map(\.description).joined()
    }
    return counts.dropLast().map(\.description).joined(separator: ", ") + " \(word) \(last)"
  }
}
