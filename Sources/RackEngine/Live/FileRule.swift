/// How a change of the rack treats the files of its units.
public enum FileRule: Sendable {
  /// Units that play on keep what they have read; a file that a new unit refuses refuses the change.
  case kept
  /// Files that have changed are read again; one that is refused refuses the change.
  case renewed
  /// Files that have changed are read again; a unit plays without a file that it refuses.
  case asTheyAre

  /// Whether a unit whose files have changed is made anew.
  var renews: Bool { self != .kept }
}
