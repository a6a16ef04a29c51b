import AudioUnits
import RackModel

extension Engine {
  /// Has the rack's units in other processes play with it from now on.
  func settleProcesses() async {
    guard let rack, rack.units.contains(where: \.isRemote) else { return }
    let processes = RackProcesses(rack.plan, units: rack.units)
    processes.settle(period: Double(snapshot.bufferSize) / snapshot.sampleRate)
    // The first cycle may not have been yet.
    var place: JackClient.ThreadPlace?
    _ = await waits {
      place = await self.threadPlace()
      return place != nil
    }
    guard let place, await keepThread(on: place.processor) else { return }
    processes.place(beside: place)
  }

  private func threadPlace() async -> JackClient.ThreadPlace? {
    (try? await Patience.answer { [client = session.client] in await client.threadPlace }) ?? nil
  }

  private func keepThread(on processor: Int) async -> Bool {
    (try? await Patience.answer { [client = session.client] in
      await client.keepThread(on: processor)
    }) ?? false
  }

  /// Passes on what becomes of a unit's process, for as long as the unit lasts.
  func listen(to unit: RackUnit) {
    guard let events = unit.audioUnit.processEvents else { return }
    let name = unit.planned.name
    Task { [continuation] in
      for await event in events {
        switch event {
        case .restarted: continuation.yield(.remark("\(name) \(event)"))
        default: continuation.yield(.warning("\(name): \(event)"))
        }
      }
    }
  }
}
