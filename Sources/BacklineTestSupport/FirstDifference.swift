/// The first index where two signals, or other lists, differ; nil where they are the same.
/// (`#expect(a == b)` on long arrays would look for the shortest edit, for hours.)
package func firstDifference<Element: Equatable>(
  _ left: some Collection<Element>, _ right: some Collection<Element>
) -> Int? {
  if left.count != right.count { return min(left.count, right.count) }
  // The standard library's own loop is optimized in every build.
  if left.elementsEqual(right) { return nil }
  return zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset
}

/// The same for channels × frames; the frame.
package func firstDifference(_ left: [[Float]], _ right: [[Float]]) -> Int? {
  if left.count != right.count { return 0 }
  return zip(left, right).lazy.compactMap { firstDifference($0, $1) }.first
}
