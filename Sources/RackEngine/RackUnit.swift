import AudioUnits
import CKernel
import RackModel
import UnitModel

/// A unit of a rack: the instance, allocated and set as planned, and its node in the kernel.
///
/// Unchecked Sendable: a unit is created on a queue, and passed from there to the engine, which alone changes it.
final class RackUnit: @unchecked Sendable {
  let planned: PlannedUnit
  /// The unit's identity in the plan that plays.
  var id: UnitID
  /// The present name: a unit may be renamed while it plays.
  var name: String
  let audioUnit: AudioUnit
  let node: OpaquePointer
  /// Whether the tail is heard to its end when the unit is removed or bypassed.
  private(set) var spills = false
  let format: RenderFormat
  /// The unit's number in the kernel's commands and reports.
  let identifier: UInt32
  /// The unit's problems with its planned properties.
  let findings: [PropertyFinding]
  /// The stamps of the unit's files, by path: planned files before the unit read them, other files after.
  private let files: [String: FileStamp?]
  /// The node's change count when all changes were last applied; nil while some are left.
  private var appliedChanges: UInt32?

  /// Creates the unit without the properties that it refuses, which `findings` lists.
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

  /// Sentences about the parts of its files that the unit has left out.
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

  /// The paths of the unit's files, missing ones included.
  var filePaths: [String] { Array(files.keys) + planned.missingFiles }

  /// The files that have changed since the unit read them, and missing files that exist now. A removed file
  /// counts as unchanged, as some editors replace files.
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

  /// Whether the present parameters have the values planned for `other`.
  func isSet(like other: PlannedUnit) -> Bool {
    other.values.parameters.allSatisfy { audioUnit.parameterValue($0) == $1 }
  }

  /// The unit's present properties, including the state of a plug-in that a save has found.
  private var presentProperties: [PlannedProperty] {
    let values = audioUnit.propertyValues
    return audioUnit.facts.properties.enumerated().compactMap { index, property in
      values[property.identifier].map { PlannedProperty(index: index, value: $0) }
    }
  }

  /// Whether the unit can become `other` while it plays: only parameters, bypass, name and spilling may
  /// differ. False if the unit's code was rebuilt.
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
  /// The paths in the plan of files that the unit reads and does not write; empty for plug-ins, whose use of
  /// files is not known.
  var files: [String] {
    guard facts.component.plugIn == nil else { return [] }
    return properties.filter { facts.properties[$0.index].kind == .path }.map(\.value)
  }
}

extension AudioUnit {
  /// Applies a plan, and allocates render resources; returns the problems with properties.
  fileprivate func prepare(
    _ planned: PlannedUnit, format: RenderFormat
  ) throws(AudioUnitError) -> [PropertyFinding] {
    let findings = try set(planned, format: format)
    if planned.isPipelined { try setPipelined(true) }
    shouldBypassEffect = planned.isBypassed
    try allocateRenderResources()
    return findings
  }

  /// Applies a plan's properties, parameters and formats; returns the problems with properties.
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
  /// The sample rate, Hz.
  public var sampleRate: Double
  /// The longest block of the units, frames; the kernel divides longer cycles.
  public var maximumFrames = 1024
}

/// The reason why a rack cannot play, a sentence.
public struct RackError: Error, CustomStringConvertible, Sendable {
  public let description: String
  /// Whether the rack, or a file that it names, is wrong.
  package let isOfRack: Bool

  public init(_ description: String) { (self.description, isOfRack) = (description, false) }

  /// Creates an error with the reasons for which units refuse properties.
  init(_ findings: [PropertyFinding]) {
    (description, isOfRack) = (findings.map(\.text).joined(separator: "\n"), true)
  }
}
