import Documents
import UnitModel

/// Edits racks; an edited rack is checked exactly as a file is.
package struct RackEditor {
  let checker: RackChecker

  /// - Parameter checker: a checker whose folder is that of the edited racks.
  package init(_ checker: RackChecker) {
    self.checker = checker
  }

  /// Returns the rack after a change of its file; its units keep their values.
  ///
  /// - Parameter reset: a unit whose values come from the file.
  /// - Throws: `Refusal` where the change names something unknown, or the rack would be wrong.
  func edited(
    _ rack: CheckedRack, resetting reset: UnitID? = nil,
    _ change: (inout Rack) throws(Refusal) -> Void
  ) throws(Refusal) -> CheckedRack {
    var file = rack.file
    try change(&file)
    return try checked(file).withValues(of: rack, except: reset)
  }

  func checked(_ file: Rack) throws(Refusal) -> CheckedRack {
    let (rack, diagnostics) = checker.check(file)
    if let rack { return rack }
    throw Refusal(diagnostics) ?? Refusal("the rack would be wrong")
  }

  func cables(of file: Rack) -> CableEditor { CableEditor(file, checker: checker) }

  func index(of name: String, in file: Rack) throws(Refusal) -> Int {
    if let index = file.units.firstIndex(where: { $0.name.value == name }) { return index }
    let names = file.units.map(\.name.value)
    throw Refusal(
      "there is no unit “\(name)” in this rack", suggestion: nearestWord(to: name, in: names))
  }

  func checkIsFree(_ name: String, in file: Rack) throws(Refusal) {
    let ports = (file.inputs + file.outputs).map(\.name.value)
    if file.units.contains(where: { $0.name.value == name }) {
      throw Refusal("“\(name)” is already the name of a unit")
    }
    if ports.contains(name) { throw Refusal("“\(name)” is already the name of a port") }
  }
}

extension String {
  /// The unit's name in `echo.sidechain` and in `echo`.
  var unitName: Substring { prefix { $0 != "." } }

  /// The unit's name in a chain, as in `echo.sidechain` and in `echo channel 2`.
  var chainUnitName: String { String(ChainName(self).path.unitName) }
}
