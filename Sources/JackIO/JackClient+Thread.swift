import CIO

extension JackClient {
  /// Where JACK's process thread runs.
  package struct ThreadPlace: Sendable, Equatable {
    /// 0 without real-time permission.
    package var priority: Int
    package var processor: Int
  }

  /// Nil before the first cycle, and once it is closed.
  package var threadPlace: ThreadPlace? {
    var (priority, processor): (Int32, Int32) = (0, 0)
    guard !isClosed, bl_jack_client_thread_place(callbacks, &priority, &processor) else {
      return nil
    }
    return ThreadPlace(priority: Int(priority), processor: Int(processor))
  }

  /// Keeps the process thread on one processor, so that those who work for it know where it is.
  package func keepThread(on processor: Int) -> Bool {
    !isClosed && bl_jack_client_pin_thread(callbacks, Int32(processor))
  }
}
