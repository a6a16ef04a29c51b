import AsyncSupport
import CUnitService
import UnitModel

/// One unit of a process group.
///
/// Unchecked because of the link, whose functions say which thread may call them, and because of
/// `lane`, which only the group's queue uses.
final class ProcessMember: @unchecked Sendable {
  let link: OpaquePointer
  let name: String
  let readable: Set<String>
  let writable: Set<String>
  var lane = 0
  /// A descriptor of the library's copy; -1 for a built-in unit.
  private let library: LibraryCopy?
  private let continuation: AsyncStream<ProcessEvent>.Continuation
  let events: AsyncStream<ProcessEvent>
  private let neighbours = Guarded(Neighbours())
  private let isAttached = Guarded(false)
  /// Since when it has answered no request, with the counts at that time.
  private let standstill = Guarded<
    (since: ContinuousClock.Instant, answers: UInt64, unanswered: UInt32)?
  >(nil)

  private struct Neighbours: Sendable {
    weak var next: ProcessMember?
    weak var previous: ProcessMember?
    var hasLeft = false
  }

  init(
    link: OpaquePointer, name: String, library: LibraryCopy?, readable: Set<String>,
    writable: Set<String>
  ) {
    self.link = link
    self.name = name
    self.library = library
    self.readable = readable
    self.writable = writable
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
  }

  deinit { continuation.finish() }

  func tell(_ event: ProcessEvent) { continuation.yield(event) }

  /// - Throws: `AudioUnitError`: what is wrong with the unit.
  func attach(to process: UnitProcess) throws(AudioUnitError) {
    var message = [CChar](repeating: 0, count: 512)
    let status = bl_service_link_attach(
      link, process.pointer, UInt32(lane), library?.descriptor ?? -1, name, &message,
      message.count)
    guard status == BL_OK else {
      let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      let reason = String(decoding: bytes, as: UTF8.self)
      throw AudioUnitError(unit: name, reason: reason.isEmpty ? "status \(status)" : reason)
    }
    isAttached.withLock { $0 = true }
  }

  func detach() {
    isAttached.withLock { $0 = false }
    bl_service_link_detach(link)
  }

  /// For good: neither the group nor a neighbour uses the link after it.
  func leave() {
    Self.connecting.withLock { _ in neighbours.withLock { $0.hasLeft = true } }
    isAttached.withLock { $0 = false }
    bl_service_link_unload(link)
  }

  /// Has it left cycles unanswered for so long, and taken none meanwhile, though it was asked to? On
  /// the warden's thread.
  func hangs(for patience: Duration, at now: ContinuousClock.Instant) -> Bool {
    var statistics = bl_service_statistics()
    bl_service_link_statistics(link, &statistics)
    guard isAttached.withLock({ $0 }), statistics.unanswered > 0 else {
      standstill.withLock { $0 = nil }
      return false
    }
    return standstill.withLock { first in
      guard let begin = first, begin.answers == statistics.answers else {
        first = (now, statistics.answers, statistics.unanswered)
        return false
      }
      return now - begin.since > patience && statistics.unanswered > begin.unanswered
    }
  }

  /// One at a time, and with nobody who leaves: links are used that are not one's own.
  private static let connecting = Guarded(())

  /// From here on its process hands on to the next one's, where that saves a way.
  func connectOutput(to next: ProcessMember) {
    Self.connecting.withLock { _ in
      let isHere = neighbours.withLock { state in
        state.next = next
        return !state.hasLeft
      }
      let isThere = next.neighbours.withLock { state in
        state.previous = self
        return !state.hasLeft
      }
      guard isHere, isThere else { return }
      var message = [CChar](repeating: 0, count: 512)
      _ = bl_service_link_connect(link, next.link, &message, message.count)
    }
  }

  /// After these have got another process.
  static func reconnect(_ members: [ProcessMember]) {
    for member in members {
      if let previous = member.neighbours.withLock({ $0.previous }) {
        previous.connectOutput(to: member)
      }
      if let next = member.neighbours.withLock({ $0.next }) { member.connectOutput(to: next) }
    }
  }
}
