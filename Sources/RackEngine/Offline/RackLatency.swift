import AudioUnits
import CKernel
import RackModel

/// What latency a rack has that does not play.
public enum RackLatency {
  /// The latency of each output, MIDI outputs last, at a rate in Hz and with so many frames a cycle.
  /// Makes the rack's units for it.
  ///
  /// - Throws: `RackError` naming the unit that could not be made.
  public static func of(
    _ plan: Plan, catalogue: ComponentCatalogue, sampleRate: Double, cycleFrames: Int
  ) throws(RackError) -> [PathLatency] {
    let format = RenderFormat(sampleRate: sampleRate, maximumFrames: cycleFrames)
    let gate: CommandGate
    do { gate = try CommandGate() } catch { throw RackError(error.reason) }
    var frames: [Int] = []
    for (place, planned) in plan.units.enumerated() {
      let unit = try RackUnit(
        planned, identifier: UInt32(place), catalogue: catalogue, format: format, gate: gate)
      frames.append(Int(bl_node_latency(unit.node)))
    }
    return plan.latencies(ofUnits: frames)
  }
}
