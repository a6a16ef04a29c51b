import AudioUnits
import CKernel
import RackModel
import UnitModel

/// A unit of a rack: the instance, allocated and set as planned, and its node in the kernel.
///
/// Unchecked Sendable: it is made on one queue, and passed from there to the engine, which alone changes
/// it.
final class RackUnit: @unchecked Sendable {
  let planned: PlannedUnit
  /// Of the plan that it plays in.
  var id: UnitID
  /// The present name: a unit may be renamed while it plays.
  var name: String
  let audioUnit: AudioUnit
  let node: OpaquePointer
  /// Whether the tail is heard to its end when the unit is removed or bypassed.
  private(set) var spills = false
  let format: RenderFormat
  /// Names the unit in the kernel's commands and reports.
  let identifier: UInt32
  /// What the unit said of its properties.
  let findings: [PropertyFinding]
  /// The files that it has read, as they were before.
  private let files: [String: FileStamp?]
  /// The node's count of changes when the last was applied; nil while some are left.
  private var appliedChanges: UInt32?

  /// Makes the unit without the properties that it refuses, which `findings` have.
  ///
  /// - Throws: `RackError` that names the unit as the rack file does.
  init(
    _ planned: PlannedUnit, identifier: UInt32, catalogue: ComponentCatalogue,
    format: RenderFormat, gate: CommandGate
  ) throws(RackError) {
    self.planned = planned
    (id, name) = (planned.id, planned.name)
    self.identifier = identifier
    self.format = format
    let component = try Self.component(of: planned, in: catalogue)
    let given = planned.files
    let stamps = Dictionary(given.map { ($0, FileStamp($0)) }) { first, _ in first }
    do {
      audioUnit = try AudioUnit(
        component, link: CommandLink(gate: gate, identifier: identifier),
        process: planned.process)
      findings = try audioUnit.prepare(planned, format: format)
    } catch {
      throw RackError("unit \(planned.name): \(error.reason)")
    }
    let others = given.isEmpty ? [] : audioUnit.filesRead
    files = stamps.merging(others.map { ($0, FileStamp($0)) }) { first, _ in first }
    guard let node = audioUnit.node else {
      throw RackError("unit \(planned.name): memory is short")
    }
    self.node = node
    setSpills(planned.spills)
    bl_node_set_bypassed(node, planned.isBypassed)
  }

  /// What is left out of its files.
  var fileWarnings: [String] {
    let present = audioUnit.propertyWarnings
    return findings.filter { !$0.isRefused && present.contains($0.reason) }
      .map { $0.warning.withoutSeverity }
  }

  func setSpills(_ spills: Bool) { self.spills = bl_node_set_spills(node, spills) && spills }

  /// Whether there may be changes of the render side to apply, or values that wait for room in the kernel.
  var mayHaveChanged: Bool {
    bl_node_change_count(node) != appliedChanges
      || bl_scheduler_is_held(audioUnit.eventScheduler.pointer)
  }

  func applyRenderChanges() {
    let changes = bl_node_change_count(node)
    appliedChanges = audioUnit.applyRenderChanges() ? changes : nil
  }

  /// Where its files are.
  var filePaths: [String] { Array(files.keys) + planned.missingFiles }

  /// The files that it has read and that are others now, and those that it lacks and that are there now. A file
  /// that goes counts as unchanged, as some editors replace files.
  var changedFiles: [String: FileStamp] {
    var changed: [String: FileStamp] = [:]
    for path in filePaths {
      if let stamp = FileStamp(path), files[path] != .some(stamp) { changed[path] = stamp }
    }
    return changed
  }

  var filesHaveChanged: Bool { !changedFiles.isEmpty }

  static func component(
    of planned: PlannedUnit, in catalogue: ComponentCatalogue
  ) throws(RackError) -> Component {
    do {
      if let component = try catalogue.components(for: planned.reference).first {
        return component.reading(planned.grantedFiles)
      }
    } catch {
      throw RackError("unit \(planned.name): \(error)")
    }
    throw RackError("unit \(planned.name): there is no unit \(planned.reference)")
  }

  /// Whether the unit was made for this plan and can play it.
  func isReady(
    for other: PlannedUnit, format: RenderFormat, catalogue: ComponentCatalogue
  ) -> Bool {
    planned == other && canBecome(other, format: format, catalogue: catalogue)
  }

  /// Whether the present parameters are the planned ones of another unit.
  func isSet(like other: PlannedUnit) -> Bool {
    other.values.parameters.allSatisfy { audioUnit.parameterValue($0) == $1 }
  }

  /// With what a save has found that a plug-in holds.
  private var presentProperties: [PlannedProperty] {
    let values = audioUnit.propertyValues
    return audioUnit.facts.properties.enumerated().compactMap { index, property in
      values[property.identifier].map { PlannedProperty(index: index, value: $0) }
    }
  }

  /// Whether the unit differs from another in parameters and name only. Units whose code was built anew
  /// differ.
  func canBecome(
    _ other: PlannedUnit, format: RenderFormat, catalogue: ComponentCatalogue
  ) -> Bool {
    guard let component = try? Self.component(of: other, in: catalogue),
      audioUnit.isInstance(of: component)
    else { return false }
    return self.format == format && planned.process == other.process
      && planned.isPipelined == other.isPipelined && planned.component == other.component
      && planned.grantedFiles == other.grantedFiles
      && planned.inputChannelCounts == other.inputChannelCounts
      && planned.outputChannelCounts == other.outputChannelCounts
      && (planned.properties == other.properties || presentProperties == other.properties)
  }
}

extension PlannedUnit {
  /// The files that a unit reads and does not write, as far as the plan has them. What plug-ins do with theirs
  /// is not known.
  var files: [String] {
    guard facts.component.plugIn == nil else { return [] }
    return properties.filter { facts.properties[$0.index].kind == .path }.map(\.value)
  }
}

extension AudioUnit {
  /// Applies a plan, and allocates render resources.
  fileprivate func prepare(
    _ planned: PlannedUnit, format: RenderFormat
  ) throws(AudioUnitError) -> [PropertyFinding] {
    let findings = try set(planned, format: format)
    if planned.isPipelined { try setPipelined(true) }
    shouldBypassEffect = planned.isBypassed
    try allocateRenderResources()
    return findings
  }

  /// Applies a plan's properties, as far as the unit takes them, parameters and formats.
  func set(
    _ planned: PlannedUnit, format: RenderFormat
  ) throws(AudioUnitError) -> [PropertyFinding] {
    try inputBusses.setBusCount(planned.inputChannelCounts.count)
    let findings = setProperties(of: planned)
    for parameter in planned.parameters { try setParameter(parameter.address, to: parameter.value) }
    for (bus, count) in zip(inputBusses, planned.inputChannelCounts) {
      try bus.setFormat(AudioFormat(sampleRate: format.sampleRate, channelCount: count))
    }
    for (bus, count) in zip(outputBusses, planned.outputChannelCounts) {
      try bus.setFormat(AudioFormat(sampleRate: format.sampleRate, channelCount: count))
    }
    try setSampleRate(format.sampleRate)
    try setMaximumFramesToRender(format.maximumFrames)
    return findings
  }
}

/// The sample rate and the longest cycle of a rack.
public struct RenderFormat: Sendable, Equatable {
  /// Hz.
  public var sampleRate: Double
  /// The kernel divides longer cycles.
  public var maximumFrames = 1024
}

/// Why a rack cannot play, for people.
public struct RackError: Error, CustomStringConvertible, Sendable {
  public let description: String
  /// Whether the rack, or a file that it names, is wrong.
  package let isOfRack: Bool

  public init(_ description: String) { (self.description, isOfRack) = (description, false) }

  /// With the reasons for which a unit refuses its properties.
  init(_ findings: [PropertyFinding]) {
    (description, isOfRack) = (findings.map(\.text).joined(separator: "\n"), true)
  }
}
