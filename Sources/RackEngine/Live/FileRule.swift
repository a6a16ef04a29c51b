/// The treatment of units' files in a change of the rack.
public enum FileRule: Sendable {
  /// Units that play on keep the contents that they have read; a file that a new unit refuses makes the change fail.
  case kept
  /// Files that have changed are read again; a refused file makes the change fail.
  case renewed
  /// Files that have changed are read again; a unit plays without a refused file.
  case lenient

  /// Whether a unit whose files have changed is recreated.
  var renews: Bool { self != .kept }
}
