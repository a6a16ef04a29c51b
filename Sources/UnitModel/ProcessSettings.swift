/// How units in other processes are waited for, placed and started again.
public struct ProcessSettings: Hashable, Sendable {
  /// The share of a period for which all of them together are waited for; one that has not answered
  /// by then is left out of the cycle. 0.01 to 0.9
  public var patience: Double
  public var processor: ProcessorChoice
  /// How often within 30 s a unit whose process dies gets another; at the next death it stays
  /// bypassed until it is asked for again. 0 to 100
  public var restarts: Int

  public static let restartRange = 0...100

  /// How patience is written.
  public static let patienceRange = ParameterInfo(
    identifier: "patience", name: "Patience", unit: .percent, minimum: 1, maximum: 90,
    defaultValue: Float(ProcessSettings().patience * 100))

  public init(
    patience: Double = 0.5, processor: ProcessorChoice = .automatic, restarts: Int = 5
  ) {
    self.patience = patience
    self.processor = processor
    self.restarts = restarts
  }
}
