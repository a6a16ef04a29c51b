/// The reason why a sound file cannot be read or written; the message names the file.
public struct SoundFileError: Error, CustomStringConvertible, Sendable {
  public let description: String
  package init(_ description: String) { self.description = description }
}
