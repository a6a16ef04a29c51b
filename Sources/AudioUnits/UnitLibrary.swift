import CUnit
import Glibc

/// Why a shared library offers no units.
public struct UnitLibraryError: Error, CustomStringConvertible {
  public var path: String
  public var reason: String
  public var description: String { "unit library \(path): \(reason)" }
}

/// A shared library with units in it (unit.h), loaded for good.
enum UnitLibrary {
  private typealias Entry = @convention(c) () -> UnsafePointer<bl_unit_library>?

  static func load(_ path: String) throws(UnitLibraryError) -> bl_unit_library {
    // A bare name would be looked for among the system's libraries.
    guard let handle = dlopen(path.contains("/") ? path : "./\(path)", RTLD_NOW | RTLD_LOCAL) else {
      throw UnitLibraryError(path: path, reason: String(cString: dlerror()))
    }
    guard let symbol = dlsym(handle, BL_UNIT_LIBRARY_SYMBOL) else {
      dlclose(handle)
      throw UnitLibraryError(path: path, reason: "it exports no \(BL_UNIT_LIBRARY_SYMBOL)")
    }
    guard let library = unsafeBitCast(symbol, to: Entry.self)()?.pointee else {
      throw UnitLibraryError(path: path, reason: "\(BL_UNIT_LIBRARY_SYMBOL) answers nothing")
    }
    try checkVersion(library.abi_version, of: "the library", path)
    for index in 0..<Int(library.unit_count) {
      guard let descriptor = library.units[index] else {
        throw UnitLibraryError(path: path, reason: "unit \(index + 1) of its table is missing")
      }
      try checkVersion(descriptor.pointee.abi_version, of: "unit \(index + 1)", path)
    }
    return library
  }

  private static func checkVersion(
    _ version: UInt32, of what: String, _ path: String
  ) throws(UnitLibraryError) {
    guard version == UInt32(BL_ABI_VERSION) else {
      throw UnitLibraryError(
        path: path,
        reason: "\(what) was built for version \(version) of the unit ABI, this is"
          + " version \(BL_ABI_VERSION)")
    }
  }
}
