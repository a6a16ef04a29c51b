import AsyncSupport
import CLinux
import CUnit
import Documents
import Glibc
import UnitModel

/// A shared library with units (unit.h), which is never unloaded.
package enum UnitLibrary {
  private typealias Entry = @convention(c) () -> UnsafePointer<bl_unit_library>?

  /// Returns the descriptors of the library's current file, loaded from a copy: overwriting the file
  /// does not change running code, and a rebuilt library is loaded again.
  ///
  /// Waits for another thread that is loading the same library.
  static func load(_ path: String) throws(BundleFault) -> [UnitDescriptor] {
    guard let stamp = FileStamp(path) else { throw BundleFault("\(path): there is no such file") }
    let entry = loaded.withLock { entries in
      if let entry = entries[stamp] { return entry }
      let entry = Guarded<[UnitDescriptor]?>(nil)
      entries[stamp] = entry
      return entry
    }
    return try entry.withLock { descriptors throws(BundleFault) in
      if let descriptors { return descriptors }
      let new = try loadCopy(of: path)
      descriptors = new
      return new
    }
  }

  private static func loadCopy(of path: String) throws(BundleFault) -> [UnitDescriptor] {
    let copy = try LibraryCopy(path)
    // Leak the copy: the loader knows libraries by name, and no other library may get this name.
    _ = Unmanaged.passRetained(copy)
    return try open("/proc/self/fd/\(copy.descriptor)", called: path)
  }

  /// Returns the descriptors of a library that is loaded from its own file.
  static func open(_ file: String, called path: String) throws(BundleFault) -> [UnitDescriptor] {
    let library = try table(file, called: path)
    func fault(_ reason: String) -> BundleFault { BundleFault("\(path): \(reason)") }
    var descriptors: [UnitDescriptor] = []
    for index in 0..<Int(library.unit_count) {
      guard let descriptor = library.units[index] else {
        throw fault("unit \(index + 1) of its table is missing")
      }
      let name = "unit \(index + 1)"
      let found = UnitDescriptor(pointer: descriptor)
      if let reason = problem(of: found, called: name, of: " of its table") {
        throw fault(reason)
      }
      descriptors.append(found.guarded)
    }
    return descriptors
  }

  /// Returns the table of a library that is loaded from its own file; its content is not checked
  /// yet.
  package static func table(
    _ file: String, called path: String
  ) throws(BundleFault) -> bl_unit_library {
    func fault(_ reason: String) -> BundleFault { BundleFault("\(path): \(reason)") }
    guard let handle = dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
      let reason = String(cString: dlerror())
      let prefix = "\(file): "
      throw fault(reason.hasPrefix(prefix) ? String(reason.dropFirst(prefix.count)) : reason)
    }
    guard let symbol = dlsym(handle, BL_UNIT_LIBRARY_SYMBOL) else {
      throw fault("it exports no \(BL_UNIT_LIBRARY_SYMBOL)")
    }
    guard let library = unsafeBitCast(symbol, to: Entry.self)()?.pointee else {
      throw fault("\(BL_UNIT_LIBRARY_SYMBOL) answers nothing")
    }
    if let problem = versionFault(library.abi_version, of: "the library") { throw fault(problem) }
    guard library.unit_count > 0, library.units != nil else { throw fault("it has no unit") }
    guard let adapted = withUnsafePointer(to: library, { bl_unit_library_adapt($0) }) else {
      throw fault("memory is short")
    }
    return adapted.pointee
  }

  /// The loaded libraries by their files' stamps; nil until a library is loaded.
  private static let loaded = Guarded<[FileStamp: Guarded<[UnitDescriptor]?>]>([:])

  package static func versionFault(_ version: UInt32, of what: String) -> String? {
    guard version != UInt32(BL_ABI_VERSION) else { return nil }
    return "\(what) was built for version \(version) of the unit ABI, this is"
      + " version \(BL_ABI_VERSION)"
  }

  /// Returns the reason why a descriptor cannot be used; nil if it can.
  static func problem(
    of descriptor: UnitDescriptor, called name: String, of owner: String = ""
  ) -> String? {
    let unit = descriptor.pointer.pointee
    return versionFault(unit.abi_version, of: name)
      ?? (unit.name == nil ? "\(name)\(owner) has no name" : nil)
      ?? missingFunctions(of: unit).first.map { "\(name)\(owner) has no \($0)" }
  }

  /// Returns the names of the mandatory functions that are null.
  package static func missingFunctions(of unit: bl_unit_descriptor) -> [String] {
    func hasProperty(_ isOfKind: (bl_property_kind) -> Bool) -> Bool {
      UnsafeBufferPointer(start: unit.properties, count: Int(unit.property_count))
        .contains { isOfKind(bl_property_kind($0.kind)) }
    }
    let isMissing: KeyValuePairs = [
      "create": unit.create == nil, "destroy": unit.destroy == nil,
      "set_parameter": unit.set_parameter == nil, "parameter_value": unit.parameter_value == nil,
      "allocate_render_resources": unit.allocate_render_resources == nil,
      "deallocate_render_resources": unit.deallocate_render_resources == nil,
      "reset": unit.reset == nil, "render": unit.render == nil,
      "set_property": unit.set_property == nil && hasProperty { $0 != BL_PROPERTY_DATA },
      "save_data": unit.save_data == nil
        && hasProperty { $0 == BL_PROPERTY_DATA || $0 == BL_PROPERTY_DATA_FILE },
      "load_data": unit.load_data == nil && hasProperty { $0 == BL_PROPERTY_DATA },
      "read_telemetry": unit.telemetry_count > 0 && unit.read_telemetry == nil,
      "preflight": unit.component.type == FourCharacterCode.offlineEffect.rawValue
        && unit.preflight == nil,
    ]
    return isMissing.filter(\.value).map(\.key)
  }
}
