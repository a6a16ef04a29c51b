extension UnitFacts {
  /// Settles the channels of every bus from what is connected.
  ///
  /// `sources` has the widest source of each input bus, nil where nothing is connected; `output`
  /// asks for an output width. A source of one channel feeds any width. Each input bus and the
  /// output must be allowed together by one of the unit's capabilities; where they leave a choice,
  /// the output has its usual width.
  public func channelCounts(
    sources: [Int?], output: Int? = nil
  ) throws(ChannelRefusal) -> ChannelCounts {
    if let counts = settledCounts(sources: sources, output: output) { return counts }
    throw refusal(sources: sources, output: output)
  }

  private func settledCounts(sources: [Int?], output: Int?) -> ChannelCounts? {
    for width in candidateOutputs(sources: sources, asked: output) {
      let inputs = sources.enumerated().compactMap { bus, source in
        inputCount(ofBus: bus, source: source, output: width)
      }
      if inputs.count == sources.count, !inputs.isEmpty || allowsNoInput(output: width) {
        return ChannelCounts(inputs: inputs, outputs: outputBusses.map { _ in width })
      }
    }
    return nil
  }

  /// The channels of the output when the input busses have just these; nil where they do not fit.
  public func outputChannels(forInputs inputs: [Int]) -> Int? {
    candidateOutputs(sources: inputs, asked: nil).first { width in
      inputs.isEmpty
        ? allowsNoInput(output: width) : inputs.allSatisfy { allows(input: $0, output: width) }
    }
  }

  /// Does one of the capabilities take these counts together?
  public func allows(input: Int, output: Int) -> Bool {
    capabilities.contains { $0.allows(input: input, output: output) }
  }

  /// The channel counts that an input bus can have.
  public var possibleInputCounts: [Int] {
    channelRange.filter { width in capabilities.contains { $0.allows(input: width) } }
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

  /// Output widths worth trying, the likeliest first.
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
    // Where the unit leaves a choice: what it usually has, else as many as go in.
    let preferred = [usual, widest].filter(natural.contains)
    return preferred + natural + (widenable ? [usual] + Array(channelRange) : [])
  }

  /// What an input bus has beside an output of `output` channels, given its source.
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

  private func refusal(sources: [Int?], output: Int?) -> ChannelRefusal {
    let given = Set(sources.compactMap(\.self)).sorted()
    if let output {
      let possible = channelRange.filter { settledCounts(sources: sources, output: $0) != nil }
      if !possible.isEmpty || given.isEmpty {
        let from = given.isEmpty ? "" : " from \(Self.counted(given))"
        return ChannelRefusal(
          description: "makes \(Self.counted(possible))\(from), not \(output)")
      }
    }
    let possible = possibleInputCounts
    if given.count > 1, given.allSatisfy(possible.contains) {
      return ChannelRefusal(
        description: "takes the same number of channels on every input, not "
          + Self.list(given, joined: "and"))
    }
    return ChannelRefusal(
      description: "takes \(Self.counted(possible)), not \(Self.list(given, joined: "and"))")
  }

  /// "1 or 2 channels".
  private static func counted(_ counts: [Int]) -> String {
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
