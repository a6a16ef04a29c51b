import AudioUnits
import Dispatch
import RackModel

/// Creates units on a queue of its own, so that neither the engine nor the cooperative pool waits for them, and
/// keeps the units of a plan that does not play yet.
struct UnitMaker {
  let queue = DispatchQueue(label: "backline.units")
  private var nextIdentifier: UInt32 = 0
  var prepared: [RackUnit] = []

  /// Removes and returns a prepared unit that can play as `planned`; nil if there is none.
  mutating func pop(
    _ planned: PlannedUnit, format: RenderFormat, catalogue: ComponentCatalogue
  ) -> RackUnit? {
    prepared.firstIndex {
      $0.isReady(for: planned, format: format, catalogue: catalogue) && !$0.filesHaveChanged
    }.map { prepared.remove(at: $0) }
  }

  /// Returns an identifier that no unit of the engine has had.
  mutating func identifier() -> UInt32 {
    defer { nextIdentifier += 1 }
    return nextIdentifier
  }

  /// Creates a unit, and waits until its library is loaded or its process is ready.
  ///
  /// - Throws: `RackError` that names the unit.
  func make(
    _ planned: PlannedUnit, identifier: UInt32, format: RenderFormat,
    catalogue: ComponentCatalogue, gate: CommandGate
  ) async throws -> RackUnit {
    try await queue.answer { () throws(RackError) in
      let unit = try RackUnit(
        planned, identifier: identifier, catalogue: catalogue, format: format, gate: gate)
      unit.audioUnit.waitUntilReady(frames: format.maximumFrames)
      return unit
    }
  }
}
