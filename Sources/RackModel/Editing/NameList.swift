import Documents

extension [String] {
  /// Returns the names of a list that was split at its separators, where names may contain separators: each
  /// starts with the longest of `names` that fits, as `split.2` does with `split`. A part that fits no name
  /// is a name alone.
  package func names(among names: [String], separator: Character) -> [String] {
    let known = Set(names.map { $0[...] })
    let longest = names.map { name in name.count { $0 == separator } + 1 }.max() ?? 1
    var found: [String] = []
    var rest = self[...]
    while let first = rest.first {
      var (name, count) = (first, 1)
      for length in 1...Swift.min(longest, rest.count) {
        let text = rest.prefix(length).joined(separator: String(separator)).trimmingSpaces()
        if known.contains(text.unitName) { (name, count) = (text, length) }
        // No name continues after a dot.
        if text.contains(".") { break }
      }
      found.append(name.trimmingSpaces())
      rest = rest.dropFirst(count)
    }
    return found.filter { !$0.isEmpty }
  }
}
