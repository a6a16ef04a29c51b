import ArgumentParser
import AudioUnits
import UnitModel

/// The option that sets parameters of a unit.
struct SettingOptions: ParsableArguments {
  @Option(name: .customLong("set"), help: "A parameter, as in --set cutoff='1.2 kHz'.")
  var settings: [String] = []

  /// The key paths and values of the settings.
  var pairs: [(keyPath: String, value: String)] {
    settings.map { setting in
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), String(parts[1]))
    }
  }

  func validate() throws {
    for setting in settings where !setting.dropFirst().contains("=") {
      throw ValidationError("--set “\(setting)”: write a parameter as NAME=VALUE")
    }
  }
}

/// The option that chooses the process of a unit.
struct ProcessOption: ParsableArguments {
  @Option(
    help: """
      The process that the unit runs in: host, Backline's own, which ends with the unit if that \
      crashes; own, one for the unit alone, as a bundle has that is named by its path.
      """,
    transform: OptionValue.process)
  var process: ProcessChoice?
}

/// The option that adds bundles to the catalogue.
struct CatalogueOptions: ParsableArguments {
  @Option(
    name: .customLong("bundle"),
    help: "A unit bundle besides those in the unit folders; may be given several times.",
    completion: .directory)
  var bundles: [String] = []

  /// Returns the units that come with Backline, those in the unit folders of the user and the system, and those of
  /// the bundles in the option.
  func catalogue() throws -> ComponentCatalogue {
    let catalogue = ComponentCatalogue(folders: .standard, bundles: bundles)
    for bundle in bundles { _ = try catalogue.facts(for: UnitReference(.bundle(path: bundle))) }
    return catalogue
  }
}
