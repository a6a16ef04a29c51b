import ArgumentParser
import AudioUnits
import CBridge
import CCallWatch
import CForeignUnits
import CUnits
import Documents
import Glibc
import UnitValidation

/// The process that loads a unit for `backline validate`.
@main
struct BacklineValidator: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backline-validator",
    abstract: "Runs checks on a unit, for backline validate, which is what people call.")

  @Option(
    help: "A shared library with units, or a plug-in such as lv2:URI; without, the built-in ones.")
  var library: String?

  @Option(help: "The unit's place in the library's table.")
  var unit = 0

  @Option(help: "Seconds of processor time.")
  var processorTime = 600

  @Flag(help: "Name the units and do nothing else.")
  var list = false

  @Flag(help: "Describe the plug-ins of other formats, all or those named, and do nothing else.")
  var plugIns = false

  @Flag(help: "With --plug-ins: render with the one that is named.")
  var trial = false

  @Option(help: "With --trial: the folder that it is in.")
  var folder: String?

  @Option(help: "With --plug-ins: a library or a plug-in to leave out.")
  var skip: [String] = []

  @Option(help: "With --plug-ins: the folders of LV2 bundles and of LADSPA libraries.")
  var lv2 = ""

  @Option(help: .hidden)
  var ladspa = ""

  @Argument(help: "Checks, or plug-ins, by name.")
  var checks: [String] = []

  func run() throws {
    let output = ParentLink.takeOutput()
    let send = { (message: ChildMessage) in
      _ = WholeFile.append(Array(message.line), to: output)
    }
    setpgid(0, 0)
    bl_install_crash_report(BL_CRASH_REPORT_FOR_HOST, nil)
    bl_bridge_hide_display()
    if plugIns {
      setenv("LV2_PATH", lv2, 1)
      setenv("LADSPA_PATH", ladspa, 1)
      if trial { _ = confinement.apply(writingRefusalsTo: output) }
      ParentLink.endWithParent()
      let reader = PlugInReader(skipping: skip, output: output)
      if trial { reader?.tryOut(checks, in: folder) } else { reader?.run(checks) }
      _exit(0)
    }
    ParentLink.limit(processorTime: processorTime)
    if let missing = confinement.apply(writingRefusalsTo: output), list {
      send(.missingConfinement(missing))
    }
    ParentLink.endWithParent()
    do {
      // Pass plug-ins on: dlopen would search the system's folders for a name without a slash.
      if let plugIn { return try validate(plugIn, send) }
      let table =
        try library.map { path in
          try UnitLibrary.table(path.contains("/") ? path : "./\(path)", called: path)
        } ?? bl_built_in_units().pointee
      if list { sendUnits(of: table, send) } else { runChecks(onUnitOf: table, send) }
    } catch {
      send(.refused("\(error)"))
    }
    // Exit without the library's exit handlers.
    _exit(0)
  }

  private var confinement: UnitConfinement {
    // A sanitizer needs all of the address space.
    let memory: UInt64 = bl_call_watch_works() ? 8 << 30 : 0
    let isOfPlugIns = plugIns || plugIn != nil
    return UnitConfinement(
      libraryPaths: isOfPlugIns
        ? PlugInFolders.standard.readablePaths : library.map { [$0] } ?? [],
      limits: (memory: memory, descriptors: 2048, fileSize: 64 << 20))
  }

  /// The library's name, if it is a plug-in's.
  private var plugIn: String? { library.flatMap { ComponentDescription($0)?.plugIn } }

  /// Validates a plug-in, which is the only unit of its library.
  private func validate(_ plugIn: String, _ send: @escaping (ChildMessage) -> Void) throws {
    guard let reader = PlugInReader(skipping: [], output: -1) else {
      throw Refusal("memory is short")
    }
    let descriptor = try reader.descriptor(of: plugIn)
    let units: [UnsafePointer<bl_unit_descriptor>?] = [descriptor]
    units.withUnsafeBufferPointer { units in
      let table = bl_unit_library(
        abi_version: UInt32(BL_ABI_VERSION), unit_count: 1, units: units.baseAddress)
      if list {
        sendUnits(of: table, called: plugIn, send)
      } else {
        runChecks(onUnitOf: table, send)
      }
    }
    _exit(0)
  }

  private func sendUnits(
    of table: bl_unit_library, called plugIn: String? = nil, _ send: (ChildMessage) -> Void
  ) {
    for index in 0..<Int(table.unit_count) {
      guard let descriptor = table.units[index] else {
        return send(.refused("unit \(index + 1) of its table is missing"))
      }
      let version = descriptor.pointee.abi_version
      if let problem = UnitLibrary.versionFault(version, of: "unit \(index + 1)") {
        return send(.refused(problem))
      }
      let facts = UnitFacts(descriptor.pointee)
      send(
        .unit(
          ListedUnit(
            index: index, component: plugIn ?? "\(facts.component)", name: facts.name,
            version: facts.versionText)))
    }
  }

  private func runChecks(
    onUnitOf table: bl_unit_library, _ send: @escaping (ChildMessage) -> Void
  ) {
    guard unit < Int(table.unit_count), let descriptor = bl_guarded_unit(table.units[unit]) else {
      return send(.refused("it has no unit \(unit)"))
    }
    let subject = Subject(
      descriptor, isPlugIn: plugIn != nil, watchesCalls: bl_call_watch_works()
    ) { send(.note($0)) }
    for check in checks.compactMap(Check.named) {
      send(.started(check: check.name))
      send(.finished(CheckReport(check, check.run(on: subject))))
    }
  }
}
