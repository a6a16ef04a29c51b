import AudioUnits
import CKernel
import RackModel
import UnitModel

/// A unit of a rack, alive: the instance, allocated and set as planned, and its place in the kernel.
///
/// Several graphs may hold it in turn; it ends with the last of its holders.
///
/// Unchecked Sendable: it is made on one queue, and handed from there to the engine, which alone changes it.
final class RackUnit: @unchecked Sendable {
  let planned: PlannedUnit
  /// What the rack calls it now: a unit may be renamed while it plays.
  var name: String
  let audioUnit: AudioUnit
  let node: OpaquePointer
  /// Is its tail heard to the end when it goes or is bypassed?
  private(set) var spills = false
  /// What it has its resources for.
  let format: RenderFormat
  /// What the kernel's commands and reports call it.
  let identifier: UInt32

  /// - Throws: `RackError` that names the unit as the rack file does.
  init(
    _ planned: PlannedUnit, identifier: UInt32, catalogue: ComponentCatalogue,
    format: RenderFormat, gate: CommandGate
  ) throws(RackError) {
    self.planned = planned
    name = planned.name
    self.identifier = identifier
    self.format = format
    let component = try Self.component(of: planned, in: catalogue)
    do {
      audioUnit = try AudioUnit(
        component, link: CommandLink(gate: gate, identifier: identifier),
        process: planned.process)
      try audioUnit.settle(planned, format: format)
    } catch {
      throw RackError("unit \(planned.name): \(error.reason)")
    }
    guard let node = audioUnit.node else {
      throw RackError("unit \(planned.name): memory is short")
    }
    self.node = node
    setSpills(planned.spills)
    bl_node_set_bypassed(node, planned.isBypassed)
  }

  /// Says whether its tail is heard to the end when it goes or is bypassed from now on.
  func setSpills(_ spills: Bool) { self.spills = bl_node_set_spills(node, spills) && spills }

  private static func component(
    of planned: PlannedUnit, in catalogue: ComponentCatalogue
  ) throws(RackError) -> Component {
    do {
      if let component = try catalogue.components(for: planned.reference).first {
        return component
      }
    } catch {
      throw RackError("unit \(planned.name): \(error)")
    }
    throw RackError("unit \(planned.name): there is no unit \(planned.reference)")
  }

  /// Is it what another is to begin as?
  func isReady(
    for other: PlannedUnit, format: RenderFormat, catalogue: ComponentCatalogue
  ) -> Bool {
    planned == other && canBecome(other, format: format, catalogue: catalogue)
  }

  /// Has it the parameters now that are planned for another?
  func isSet(like other: PlannedUnit) -> Bool {
    other.values(with: audioUnit.facts).allSatisfy { audioUnit.parameterValue($0) == $1 }
  }

  /// Could it go on as this one, with no more than other parameters and another name?
  ///
  /// Not if its code is another by now.
  func canBecome(
    _ other: PlannedUnit, format: RenderFormat, catalogue: ComponentCatalogue
  ) -> Bool {
    guard let component = try? Self.component(of: other, in: catalogue),
      audioUnit.isInstance(of: component)
    else { return false }
    return self.format == format && planned.process == other.process
      && planned.isPipelined == other.isPipelined && planned.component == other.component
      && planned.inputChannelCounts == other.inputChannelCounts
      && planned.outputChannelCounts == other.outputChannelCounts
      && planned.properties == other.properties
  }
}

extension AudioUnit {
  /// Becomes what is planned, ready to render.
  fileprivate func settle(
    _ planned: PlannedUnit, format: RenderFormat
  ) throws(AudioUnitError) {
    try inputBusses.setBusCount(planned.inputChannelCounts.count)
    for property in planned.properties { try setProperty(at: property.index, to: property.value) }
    for parameter in planned.parameters { try setParameter(parameter.address, to: parameter.value) }
    for (bus, count) in zip(inputBusses, planned.inputChannelCounts) {
      try bus.setFormat(AudioFormat(sampleRate: format.sampleRate, channelCount: count))
    }
    for (bus, count) in zip(outputBusses, planned.outputChannelCounts) {
      try bus.setFormat(AudioFormat(sampleRate: format.sampleRate, channelCount: count))
    }
    try setMaximumFramesToRender(format.maximumFrames)
    if planned.isPipelined { try setPipelined(true) }
    shouldBypassEffect = planned.isBypassed
    try allocateRenderResources()
  }
}

/// How a rack is rendered.
public struct RenderFormat: Sendable, Equatable {
  /// Hz.
  public var sampleRate: Double
  /// The longest cycle that the kernel renders at once, frames; longer ones are cut. It is also by
  /// how much feedback cables are late.
  public var maximumFrames: Int

  public init(sampleRate: Double, maximumFrames: Int = 1024) {
    self.sampleRate = sampleRate
    self.maximumFrames = maximumFrames
  }
}

/// What kept a rack from playing, for people.
public struct RackError: Error, CustomStringConvertible, Sendable {
  public let description: String
  public init(_ description: String) { self.description = description }
}
