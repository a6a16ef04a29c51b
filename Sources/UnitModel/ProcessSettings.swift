/// How the rack waits for units in other processes, where they run, and how often they are restarted.
public struct ProcessSettings: Hashable, Sendable {
  /// The share of a period for which the rack waits for all of them together; a unit that has not
  /// answered by then is left out of the cycle. 0.01 to 0.9
  public var timeout: Double
  public var processor: ProcessorChoice
  /// How often within 30 s a unit whose process dies is restarted; at the next death it stays bypassed
  /// until a command restarts it. 0 to 100
  public var restarts: Int

  public static let restartRange = 0...100

  /// How `timeout` is written.
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
