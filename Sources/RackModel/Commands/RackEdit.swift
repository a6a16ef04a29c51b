/// A change of what a rack is made of, in the words of the rack file.
public enum RackEdit: Sendable, Equatable {
  /// A unit more; `inputs` as in the file, `into` a cable (`gate -> echo`) that it is to be put into.
  case add(name: String, unit: String, preset: String?, inputs: Int?, into: String?)
  /// A unit less. What came to it goes on to where it went, unless a bus was named there.
  case remove(name: String)
  /// Another unit under the same name, with the same cables.
  case replace(name: String, unit: String)
  case rename(name: String, to: String)
  /// A chain: `gate -> echo -> mix.1`.
  case connect(String)
  /// Every cable of a chain.
  case disconnect(String)
  case loadPreset(name: String, preset: String)
  /// A control: something of MIDI, as `keys cc 1`, moves something.
  case map(from: String, ControlSettings)
  /// Every control that moves this.
  case forget(to: String)

  /// The name of a unit that stays, and what it was before.
  public var renamed: (from: String, to: String)? {
    if case .rename(let name, let to) = self { (name, to) } else { nil }
  }
}
