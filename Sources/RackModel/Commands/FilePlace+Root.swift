import Documents

extension FilePlace {
  /// A path in a request: the program that carries it out has a folder of its own.
  ///
  /// - Throws: `Refusal` for a relative path.
  package static func fromRoot(_ path: String, called name: String) throws(Refusal) -> String {
    guard path.hasPrefix("/") else {
      throw Refusal("“\(name)” must be an absolute path such as /home/me/a.yaml, not “\(path)”")
    }
    return path
  }
}
