import ArgumentParser
import AudioUnits
import Documents
import Glibc
import UnitModel
import UnitValidation

struct Validate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check that a unit keeps to the rules that hosts rely on.",
    discussion: """
      The unit runs in processes of its own, which it may crash or hang. Ends with 0 when every unit \
      passes, with 1 when one fails, and with 2 when there is no such unit or check.
        backline validate aufx/dely/bkln
        backline validate ./Ring.unit
        backline validate --all
      docs/reference/validate.md says what each check means and how to mend what fails.
      """)

  @Argument(
    help: "A unit (aufx/dely/bkln, Delay), a bundle, or a shared library for all its units.")
  var unit: String?

  @Flag(help: "Every unit that comes with Backline.")
  var all = false

  @Option(help: "A shared library besides bundles, in which the unit is.")
  var library: String?

  @Option(name: .customLong("check"), help: "Run only this check; may be given several times.")
  var names: [String] = []

  @Option(help: "Seconds after which a check is taken to hang.")
  var timeLimit = 60.0

  @Flag(help: "Print the results as JSON.")
  var json = false

  func validate() throws {
    guard (unit != nil || library != nil) != all else {
      throw ValidationError("name a unit, a bundle or a library, or say --all")
    }
    if !(timeLimit > 0 && timeLimit <= 86_400) {
      throw ValidationError("--time-limit is a number of seconds, up to a day")
    }
  }

  func run() throws {
    let checks = try chosenChecks()
    var reports: [UnitReport] = []
    for target in try targets() {
      for listed in target.units {
        if !json { print(ValidationTable.heading(listed)) }
        let report = try target.validator.run(checks, on: listed) { result in
          guard !json else { return }
          print(ValidationTable.line(result))
          fflush(nil)
        }
        if !json { print(ValidationTable.lastLine(report)) }
        reports.append(report)
        if names.isEmpty, let component = target.component { remember(report, of: component) }
      }
    }
    if json {
      print(try JSONText.of(reports))
    }
    if reports.contains(where: { !$0.passes }) { throw ExitCode.failed }
  }

  /// Records the result for the catalogue's list of validated units.
  private func remember(_ report: UnitReport, of component: Component) {
    do {
      try component.record(report)
    } catch {
      Terminal.complain("warning: the result is not remembered: \(error)")
    }
  }

  private func chosenChecks() throws -> [UnitValidation.Check] {
    guard !names.isEmpty else { return UnitValidation.Check.all }
    return try names.map { name in
      if let check = UnitValidation.Check.named(name) { return check }
      throw Failure(
        "there is no check “\(name)” (docs/reference/validate.md lists them)", code: .wrongRack,
        nearestTo: name, in: UnitValidation.Check.all.map(\.name))
    }
  }

  /// A library and the units to validate in it.
  private struct Target {
    var validator: Validator
    var units: [ListedUnit]
    /// The component of the library's bundle; nil for a library outside bundles.
    var component: Component?
  }

  private func targets() throws -> [Target] {
    if let library { return [try target(library: library, named: unit)] }
    if let unit, unit.hasSuffix(".so") { return [try target(library: unit, named: nil)] }
    let catalogue = ComponentCatalogue(folders: .standard)
    let components =
      if let unit { try UnitLookup.components(named: unit, in: catalogue) } else {
        catalogue.components(where: { $0.codePath == nil })
      }
    guard !components.isEmpty else {
      throw nothing(named: unit ?? "", among: catalogue.knownFacts.map(\.name))
    }
    return try components.enumerated().map { index, component in
      let path = component.codePath
      let (validator, units) = try look(into: path, warns: index == 0)
      let own = units.filter { $0.component == "\(component.component)" }
      return Target(validator: validator, units: own, component: component)
    }
  }

  private func target(library: String, named name: String?) throws -> Target {
    let (validator, units) = try look(into: library)
    guard let name else { return Target(validator: validator, units: units) }
    let found = units.filter { listed in
      if let wanted = ComponentDescription(name), let own = ComponentDescription(listed.component) {
        return wanted.matches(own)
      }
      return listed.name.lowercased() == name.lowercased()
    }
    if found.isEmpty { throw nothing(named: name, among: units.map(\.name)) }
    return Target(validator: validator, units: found)
  }

  private func look(
    into library: String?, warns: Bool = true
  ) throws -> (Validator, [ListedUnit]) {
    let validator = try Validator(libraryPath: library, timeLimit: timeLimit)
    let units = try validator.units { missing in
      guard warns else { return }
      Terminal.complain("warning: \(UnitConfinement.warning(missing: missing))")
    }
    return (validator, units)
  }

  private func nothing(named name: String, among names: [String]) -> Failure {
    Failure("there is no unit “\(name)”", code: .wrongRack, nearestTo: name, in: names)
  }
}
