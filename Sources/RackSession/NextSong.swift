/// The song after the present one, whose units are created in advance.
enum NextSong {
  case none
  /// The task creates the units; it waits for the task before it.
  case preparing(Task<Void, Never>)
  case ready(String, Task<Void, Never>)

  /// The task that was started last; nil if there was none.
  var task: Task<Void, Never>? {
    switch self {
    case .none: nil
    case .preparing(let task), .ready(_, let task): task
    }
  }

  /// The name of the song whose units are created.
  var readyName: String? {
    if case .ready(let name, _) = self { name } else { nil }
  }
}
