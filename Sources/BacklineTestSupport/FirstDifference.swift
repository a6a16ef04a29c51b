/// Returns the first index at which two lists differ; nil if they are equal. (On long arrays,
/// `#expect(a == b)` searches for the shortest edit, which takes hours.)
package func firstDifference<Element: Equatable>(
  _ left: some Collection<Element>, _ right: some Collection<Element>
) -> Int? {
  if left.count != right.count { return min(left.count, right.count) }
  // The standard library's own loop is optimized in every build.
  if left.elementsEqual(right) { return nil }
  return zip(left, right).enumerated().first { $1.0 != $1.1 }?.offset
}

/// Returns the first frame at which two signals, channels × frames, differ; nil if they are equal.
package func firstDifference(_ left: [[Float]], _ right: [[Float]]) -> Int? {
  if left.count != right.count { return 0 }
  return zip(left, right).lazy.compactMap { firstDifference($0, $1) }.first
}
