/// Returns "1 value", "2 values"; `plural` is for nouns whose plural is not formed with an s.
package func numbered(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? "\(noun)s")"
}
