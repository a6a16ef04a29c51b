/// Returns the candidate most similar to `word`, or the first that contains it as a word ("plate" in
/// "Vocal Plate"); nil if there is none.
///
/// Case is ignored: "Ring" has the distance 0 from "ring". The distance is that of optimal string
/// alignment (F. J. Damerau, "A technique for computer detection and correction of spelling
/// errors", 1964); a third of the word's letters may be wrong, and one always may.
package func nearestWord(to word: String, in candidates: some Sequence<String>) -> String? {
  let written = Array(word.lowercased().unicodeScalars)
  guard !written.isEmpty, written.count <= 64 else { return nil }
  let allowed = max(1, written.count / 3)
  var best: (word: String, distance: Int)?
  for candidate in candidates where candidate != word {
    let letters = Array(candidate.lowercased().unicodeScalars)
    guard abs(letters.count - written.count) <= allowed else { continue }
    let distance = editDistance(written, letters)
    // Words of one letter are not similar.
    guard distance <= allowed, distance < max(written.count, letters.count) else { continue }
    if let found = best, found.distance <= distance { continue }
    best = (candidate, distance)
  }
  return best?.word
    ?? candidates.first { candidate in
      let words = candidate.lowercased().split { !$0.isLetter && !$0.isNumber }
      return candidate != word && words.contains { $0 == word.lowercased() }
    }
}

/// Returns the insertions, deletions, replacements and swaps of neighbours that turn `first` into
/// `second`.
private func editDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...second.count)
  for row in first.indices {
    var current = [row + 1]
    for column in second.indices {
      let replaced = last[column] + (first[row] == second[column] ? 0 : 1)
      var least = min(replaced, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
        least = min(least, beforeLast[column - 1] + 1)
      }
      current.append(least)
    }
    beforeLast = last
    last = current
  }
  return last[second.count]
}
