import OSC
import RackEngine
import RackModel
import RackSession

/// Bundles with a time tag: a parameter is set at the frame that JACK's clock has at that time. Every other request
/// is carried out at that time.
extension OSCServer {
  /// The time ahead at which a parameter's change is scheduled in the engine: short enough for the drift of the
  /// clocks, and long enough for a busy machine.
  private static let lead = Duration.milliseconds(200)

  func wait(_ request: Received, until due: ContinuousClock.Instant, _ seconds: Double) {
    guard seconds <= OSCSchedule.farthest else {
      return refuse(
        request,
        because:
          "its time tag lies \(Int(seconds)) s ahead; \(Int(OSCSchedule.farthest)) s are the "
          + "most (do the clocks of both machines agree?)")
    }
    add(request, due: due, wake: request.isSet ? due - Self.lead : due)
    setAlarm()
  }

  /// Adds a request to the schedule. If the schedule is full, sends an error to the sender and returns false.
  @discardableResult
  private func add(
    _ request: Received, due: ContinuousClock.Instant, wake: ContinuousClock.Instant
  ) -> Bool {
    guard !schedule.isFull else {
      refuse(request, because: "\(OSCSchedule.maximumEntries) messages wait for their time already")
      return false
    }
    schedule.add(.init(request: request, due: due, wake: wake))
    return true
  }

  /// Starts an alarm for the first entry if its time has changed: a cancelled alarm keeps its memory until its time.
  private func setAlarm() {
    let wake = isStopped ? nil : schedule.nextWake
    guard wake != alarm?.time else { return }
    alarm?.task.cancel()
    alarm = wake.map { wake in
      let task = Task { [weak self] in
        guard (try? await Task.sleep(until: wake, clock: .continuous)) != nil else { return }
        await self?.ring()
      }
      return Alarm(time: wake, task: task)
    }
  }

  private func ring() async {
    alarm = nil
    // Entries within the next millisecond share one reading of the clock.
    let entries = schedule.pop(until: .now + .milliseconds(1))
    setAlarm()
    let now = entries.filter { $0.wake == $0.due }.map(\.request)
    enqueue(now)
    let ahead = entries.filter { $0.wake < $0.due }
    guard !ahead.isEmpty else { return }
    let clock = await session.engine.clock()
    for entry in ahead {
      if let clock {
        await set(entry, clock)
      } else {
        // A rack that does not play has no frames: the request is carried out at its time.
        add(entry.request, due: entry.due, wake: entry.due)
      }
    }
    setAlarm()
  }

  private func set(_ entry: OSCSchedule.Entry, _ clock: EngineClock) async {
    guard case .success(.set(let pattern, let value)) = entry.request.request else { return }
    do {
      for address in try await freshAddresses().matches(pattern) {
        guard let parameter = addresses[address] else { continue }
        let path = try ParameterPath(parameter)
        guard !path.isBypass, !addresses.isSlow(address) else {
          // Bypasses and properties cannot be scheduled at a frame.
          var request = entry.request
          request.request = .success(.set(address: address, value: value))
          guard add(request, due: entry.due, wake: entry.due) else { return }
          continue
        }
        try await session.set(
          path, to: value, at: clock.sampleTime(at: entry.due), from: entry.request.peer)
      }
    } catch {
      refuse(entry.request, because: "\(error)")
    }
  }
}
