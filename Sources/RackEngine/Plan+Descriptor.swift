import AudioUnits
import CRack
import RackLowering
import RackModel
import UnitModel

extension Plan {
  /// Returns a descriptor of the rack as a unit, whose units run in this process; valid as long as the program.
  ///
  /// - Throws: `RackError` if a unit cannot run in this process, or memory is short.
  package func unitDescriptor(in catalogue: ComponentCatalogue) throws(RackError) -> UnitDescriptor
  {
    var facts: [UnitFacts] = []
    var descriptors: [UnsafePointer<bl_unit_descriptor>?] = []
    for unit in units {
      let component = try RackUnit.component(of: unit, in: catalogue)
      guard unit.process ?? component.processByConsent == .host else {
        throw RackError(
          "unit \(unit.name): it runs in a process of its own, which a unit of a rack within a rack"
            + " cannot; write “process: host” for it, or move it to the outer rack")
      }
      guard !component.facts.isOfflineEffect else {
        throw RackError(
          "unit \(unit.name): it sees its whole input before it plays, which a unit of a rack within a"
            + " rack cannot; move it to the outer rack")
      }
      do {
        descriptors.append(try component.descriptor(in: .host).pointer)
      } catch {
        throw RackError("unit \(unit.name): \(error)")
      }
      facts.append(component.facts)
    }
    let none = [String?](repeating: nil, count: units.count)
    let text = ["name \(name)"] + lines(exposing: parameters, facts: facts, libraries: none)
    let pointer = text.joined(separator: "\n").withCString { lines in
      descriptors.withUnsafeBufferPointer { units in
        var source = bl_rack_source()
        source.lines = lines
        source.units = units.baseAddress
        return bl_rack_describe(&source)
      }
    }
    guard let pointer else { throw RackError("memory is short") }
    return UnitDescriptor(pointer: pointer)
  }
}
