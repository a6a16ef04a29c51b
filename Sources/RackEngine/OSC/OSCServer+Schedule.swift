import OSC
import RackModel

/// Bundles with a time tag: a parameter moves at the frame that JACK's clock has at that time;
/// everything else is carried out when it has come.
extension OSCServer {
  /// How long before its time a parameter's change is given to the engine: late enough for the clocks
  /// not to drift apart, and early enough for a machine that is busy.
  private static let lead = Duration.milliseconds(200)

  func wait(_ request: Request, until due: ContinuousClock.Instant, _ seconds: Double) {
    guard seconds <= OSCSchedule.farthest else {
      return refuse(
        request,
        because:
          "its time tag lies \(Int(seconds)) s ahead; \(Int(OSCSchedule.farthest)) s are the "
          + "most (do the clocks of both machines agree?)")
    }
    guard !schedule.isFull else {
      return refuse(
        request, because: "\(OSCSchedule.mostEntries) messages wait for their time already")
    }
    let isSet = if case .set? = try? OSCRequest(request.message) { true } else { false }
    schedule.add(.init(request: request, due: due, wake: isSet ? due - Self.lead : due))
    setAlarm()
  }

  private func setAlarm() {
    alarm?.cancel()
    guard let wake = schedule.nextWake, !isStopped else { return }
    alarm = Task { [weak self] in
      guard (try? await Task.sleep(until: wake, clock: .continuous)) != nil else { return }
      await self?.ring()
    }
  }

  private func ring() async {
    // What comes within a moment goes along, with the same look at the clocks.
    let entries = schedule.take(until: .now + .milliseconds(1))
    setAlarm()
    let now = entries.filter { $0.wake == $0.due }.map(\.request)
    take(now)
    let ahead = entries.filter { $0.wake < $0.due }
    guard !ahead.isEmpty else { return }
    let clock = await session.engine.clock()
    for entry in ahead { await set(entry, clock) }
  }

  private func set(_ entry: OSCSchedule.Entry, _ clock: EngineClock?) async {
    guard case .set(let pattern, let value)? = try? OSCRequest(entry.request.message) else {
      return
    }
    do {
      for address in try await freshAddresses().matches(pattern) {
        guard let parameter = addresses[address], let path = try? ParameterPath(parameter) else {
          continue
        }
        guard let clock, !path.isBypass else {
          // Neither a bypass nor a rack that stands still has a schedule.
          var request = entry.request
          request.message.address = address
          schedule.add(.init(request: request, due: entry.due, wake: entry.due))
          setAlarm()
          continue
        }
        try await session.set(path, to: value, at: clock.sampleTime(at: entry.due))
      }
    } catch {
      refuse(entry.request, because: "\(error)")
    }
  }
}
