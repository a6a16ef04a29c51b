/// Copies of arrays and texts for C, freed together.
package final class CArrays {
  private var copies: [UnsafeMutableRawPointer] = []

  package init() {}

  deinit { for copy in copies { copy.deallocate() } }

  /// Returns a copy of C values, valid as long as this object.
  package func copy<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
    UnsafePointer(mutableCopy(elements))
  }

  package func mutableCopy<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
    let copy = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
    copy.initialize(from: elements, count: elements.count)
    copies.append(UnsafeMutableRawPointer(copy))
    return copy
  }

  package func copy(_ text: String) -> UnsafePointer<CChar> { copy(Array(text.utf8CString)) }

  package func copy(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
    copy(texts.map { Optional(copy($0)) })
  }
}
