import Documents

extension FilePlace {
  /// A path in a request: the program that carries it out has a folder of its own.
  ///
  /// - Throws: `Refusal` for one that does not count from the root.
  package static func fromRoot(_ path: String, called name: String) throws(Refusal) -> String {
    guard path.hasPrefix("/") else {
      throw Refusal("“\(name)” is a path from the root, as in /home/me/a.yaml, not “\(path)”")
    }
    return path
  }
}
