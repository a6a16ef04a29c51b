import Documents
import UnitModel

/// Finds out in which process a file's unit is rendered, and whether it may be.
struct ProcessResolver {
  let catalogue: any UnitDirectory

  /// `unit`: the entry's, with what the catalogue has for it.
  func resolve(
    _ entry: UnitEntry, for unit: inout ResolvedUnit, diagnostics: inout DiagnosticCollector
  ) {
    unit.isPipelined = entry.isPipelined?.value ?? false
    if let written = entry.process {
      do {
        unit.process = Located(try ProcessChoice(written: written.value), at: written.position)
      } catch {
        diagnostics.error(written.position, error.description, suggestion: error.suggestion)
        return
      }
    }
    checkConsent(of: unit, diagnostics: &diagnostics)
    checkPipeline(of: unit, at: entry.isPipelined?.position, diagnostics: &diagnostics)
  }

  private func checkConsent(of unit: ResolvedUnit, diagnostics: inout DiagnosticCollector) {
    guard let process = unit.process, process.value == .host, let reference = unit.reference,
      let manifest = catalogue.manifestWithoutConsent(of: reference)
    else { return }
    diagnostics.error(
      process.position,
      "“\(unit.name)” cannot run in the host's process, for its manifest does not allow it: write "
        + "“in_process: true” into \(manifest), or here “process: own”")
  }

  private func checkPipeline(
    of unit: ResolvedUnit, at position: SourcePosition?, diagnostics: inout DiagnosticCollector
  ) {
    guard unit.isPipelined, let position else { return }
    let process = unit.process?.value ?? unit.reference.map(catalogue.usualProcess)
    guard process == .host else { return }
    diagnostics.error(
      position,
      "only a unit in another process is not waited for, and “\(unit.name)” runs in the host's"
        + (unit.process == nil ? " unless told otherwise" : "") + "; write “process: own” for it")
  }
}
