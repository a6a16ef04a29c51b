/// "1 value", "2 values"; `plural` where it is more than an s.
package func numbered(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? "\(noun)s")"
}
