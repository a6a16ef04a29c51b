extension UnitFacts {
  /// The maximum number of channels of one bus, from the unit ABI.
  public static let maximumChannelCount = 32

  /// Whether a host may ask for more input busses than the unit declares.
  public var canAddInputBusses: Bool { maximumInputBusCount > inputBusses.count }

  /// Returns input bus `index` of a unit that has `index + 1` or more; nil past the maximum.
  ///
  /// If busses can be added, those from the last declared one on are alike and numbered from 1.
  public func inputBus(at index: Int) -> BusInfo? {
    guard index >= 0, index < maximumInputBusCount, let last = inputBusses.last else { return nil }
    guard canAddInputBusses, index >= inputBusses.count - 1 else { return inputBusses[index] }
    var bus = last
    bus.name = String(index - inputBusses.count + 2)
    return bus
  }

  /// Returns the names of the first `count` input busses (nil: the declared count).
  public func inputBusNames(count: Int? = nil) -> [String] {
    (0..<(count ?? inputBusses.count)).compactMap { inputBus(at: $0)?.name }
  }

  /// Returns the name of an input bus if the unit's name does not suffice: it suffices for the main
  /// input beside a sidechain, not for one of many inputs.
  package func nameOfInput(_ index: Int, of count: Int) -> String? {
    guard count > 1, let info = inputBus(at: index), info.isOptional || canAddInputBusses else {
      return nil
    }
    return info.name
  }

  /// Returns the index, from 0, of the input bus of that name or number (from 1) among the first
  /// `count`.
  public func inputBusIndex(of nameOrNumber: String, count: Int? = nil) -> Int? {
    Self.index(of: nameOrNumber, in: inputBusNames(count: count))
  }

  /// Returns the index, from 0, of the output bus of that name or number (from 1).
  public func outputBusIndex(of nameOrNumber: String) -> Int? {
    Self.index(of: nameOrNumber, in: outputBusses.map(\.name))
  }

  private static func index(of nameOrNumber: String, in names: [String]) -> Int? {
    if let index = names.firstIndex(of: nameOrNumber) { return index }
    guard let number = Int(nameOrNumber), 0 < number, number <= names.count else { return nil }
    return number - 1
  }
}
