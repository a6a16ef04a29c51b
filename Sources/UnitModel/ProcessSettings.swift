/// The rack's timeout for units in other processes, their processor, and their restarts.
public struct ProcessSettings: Hashable, Sendable {
  /// The share of a period for which the rack waits for all of them together, 0.01 to 0.9; a unit
  /// that has not answered by then is left out of the cycle.
  public var timeout: Double
  public var processor: ProcessorChoice
  /// The number of restarts within 30 s for a unit whose process dies, 0 to 100; at the next death it
  /// stays bypassed until a command restarts it.
  public var restarts: Int

  public static let restartRange = 0...100

  /// The form in which `timeout` is written.
  public static let timeoutRange = ParameterInfo(
    identifier: "timeout", name: "Timeout", unit: .percent, minimum: 1, maximum: 90,
    defaultValue: Float(ProcessSettings().timeout * 100))

  public init(
    timeout: Double = 0.5, processor: ProcessorChoice = .automatic, restarts: Int = 5
  ) {
    self.timeout = timeout
    self.processor = processor
    self.restarts = restarts
  }
}
