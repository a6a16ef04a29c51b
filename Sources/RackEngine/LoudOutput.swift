import CKernel
import Glibc
import RackModel
import UnitModel

/// An output that stayed above its ceiling and was faded out for a second, and what made it loud.
public struct LoudOutput: Sendable, Equatable {
  public var output: String
  /// The unit that made the output loud and was reset; nil if the rack's input was as loud.
  public var unit: String?
  /// The peak of the unit's output or the rack's input, dBFS.
  public var level: Float

  init(_ report: bl_loud_report, outputs: [Port], unitName: (UInt32) -> String?) {
    let port = Int(report.output)
    output = outputs.indices.contains(port) ? outputs[port].name : "an output"
    unit = report.node == UInt32.max ? nil : unitName(report.node) ?? "a unit"
    level = 20 * log10(report.peak)
  }
}

extension LoudOutput: CustomStringConvertible {
  /// A sentence with the remedy.
  public var description: String {
    let level = "\((self.level * 10).rounded() / 10) dBFS"
    let cause = unit.map { "\($0) put out \(level) and was reset" } ?? "\(level) came in"
    return
      "output \(output) was above its ceiling and was faded out for a second: \(cause); turn it"
      + " down, or write “ceiling: off” at the output where it is meant"
  }
}
