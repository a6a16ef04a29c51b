/// A change of a rack's structure, in the words of the rack file.
public enum RackEdit: Sendable, Equatable {
  /// Adds a unit; `inputs` as in the file; `into` inserts it into a cable (`gate -> echo`).
  case add(name: String, unit: String, preset: String?, inputs: Int?, into: String?)
  /// Removes a unit. Its sources are connected to its destinations, except at named busses.
  case remove(name: String)
  /// Replaces a unit by another with the same name and cables.
  case replace(name: String, unit: String)
  case rename(name: String, to: String)
  /// A chain: `gate -> echo -> mix.1`.
  case connect(String)
  /// Every cable of a chain.
  case disconnect(String)
  case loadPreset(name: String, preset: String)
  /// A property's value, as the rack file writes it.
  case setProperty(name: String, property: String, value: String)
  /// A modulation, in the place of one with the same source and target.
  case modulate(Rack.Modulation)
  /// Removes every modulation with this target; `from`: only that of this source.
  case endModulation(to: String, from: String? = nil)
  /// A control, in the place of one with the same source and target.
  case map(Rack.Control)
  /// Removes every control with this target; `from`: only that of this source.
  case forget(to: String, from: String? = nil)
  case renameScene(name: String, to: String)
  /// Removes a scene and the controls that recall it.
  case removeScene(name: String)

  /// The former and the new name of a renamed unit.
  public var renamed: (from: String, to: String)? {
    if case .rename(let name, let to) = self { (name, to) } else { nil }
  }
}
