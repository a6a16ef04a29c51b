/// Copies of arrays for C, freed together.
package final class CArrays {
  private var copies: [UnsafeMutableRawPointer] = []

  package init() {}

  deinit { for copy in copies { copy.deallocate() } }

  /// Returns a copy of the values, valid as long as this object.
  package func copy<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element> {
    let copy = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    copy.initialize(from: elements, count: elements.count)
    copies.append(UnsafeMutableRawPointer(copy))
    return UnsafePointer(copy)
  }
}
