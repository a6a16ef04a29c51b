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

  private struct Neighbours: Sendable {
    weak var next: ProcessMember?
    weak var previous: ProcessMember?
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
  }

  func detach(unloading: Bool = false) {
    if unloading { bl_service_link_unload(link) } else { bl_service_link_detach(link) }
  }

  /// Cycles in a row, up to now, without an answer.
  var unansweredCount: Int {
    var statistics = bl_service_statistics()
    bl_service_link_statistics(link, &statistics)
    return Int(statistics.unanswered)
  }

  /// From here on its process hands on to the next one's, where that saves a way.
  func introduce(to next: ProcessMember) {
    neighbours.withLock { $0.next = next }
    next.neighbours.withLock { $0.previous = self }
    var message = [CChar](repeating: 0, count: 512)
    _ = bl_service_link_introduce(link, next.link, &message, message.count)
  }

  /// After these have got another process.
  static func introduceAgain(_ members: [ProcessMember]) {
    for member in members {
      if let previous = member.neighbours.withLock({ $0.previous }) {
        previous.introduce(to: member)
      }
      if let next = member.neighbours.withLock({ $0.next }) { member.introduce(to: next) }
    }
  }
}
