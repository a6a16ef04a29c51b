import CTestUnits

/// Records the order in which a kernel calls the units that were added with this log.
package final class CallLog {
  let pointer = UnsafeMutablePointer<bl_test_log>.allocate(capacity: 1)

  package enum Call: Equatable, CustomStringConvertible {
    case begin(Int, behind: Int? = nil)
    case render(Int)

    package var description: String {
      switch self {
      case .begin(let unit, nil): "begin \(unit)"
      case .begin(let unit, let preceding?): "begin \(unit) behind \(preceding)"
      case .render(let unit): "render \(unit)"
      }
    }
  }

  package init() { pointer.initialize(to: bl_test_log()) }
  deinit { pointer.deallocate() }

  /// Removes and returns the calls since the last call of this function, in order.
  package func popAll() -> [Call] {
    let count = Int(pointer.pointee.count)
    pointer.pointee.count = 0
    return withUnsafeBytes(of: &pointer.pointee.calls) { bytes in
      bytes.bindMemory(to: bl_test_call.self).prefix(count).map { call in
        let preceding = call.preceding < 0 ? nil : Int(call.preceding)
        return call.is_begin
          ? .begin(Int(call.unit), behind: preceding) : .render(Int(call.unit))
      }
    }
  }
}
