import AsyncSupport
import CUnitService
import Documents
import UnitModel

/// A unit in another process: its link, and its number among the units of that process.
///
/// Unchecked because of the link, whose functions say which thread may call them, and because of
/// `lane`, which only the group's queue uses.
final class UnitService: @unchecked Sendable {
  let link: OpaquePointer
  private let component: Component
  let files: UnitProcess.FileAccess
  let group: UnitProcessGroup
  let events: AsyncStream<ProcessEvent>
  /// The unit's number in its process.
  var lane = 0
  /// The library's copy; nil for a built-in unit and a plug-in.
  private let library: LibraryCopy?
  private let continuation: AsyncStream<ProcessEvent>.Continuation
  private let state = Guarded(State())

  private struct State: Sendable {
    var isAttached = false
    var hasLeft = false
    /// The neighbouring units in a chain.
    weak var previous: UnitService?
    weak var next: UnitService?
    /// The time since which the unit has not answered a request, with the counts at that time.
    var stall: (since: ContinuousClock.Instant, answers: UInt64, unanswered: UInt32)?
  }

  /// Renders the unit, whose instance is a link, in another process; waits until it is loaded
  /// there.
  init(
    _ component: Component, in process: ProcessChoice, link: OpaquePointer
  ) throws(AudioUnitError) {
    self.link = link
    self.component = component
    let program: String
    do {
      program = try HelperPrograms.path("backline-unit")
      library = try component.bundle.map { try LibraryCopy($0.libraryPath) }
    } catch {
      throw AudioUnitError(unit: component.name, reason: "\(error)")
    }
    group =
      if case .group(let name) = process {
        UnitProcessGroup.named(name, program: program)
      } else {
        UnitProcessGroup(name: component.name, program: program)
      }
    let dataFolder = component.dataFolder
    files = UnitProcess.FileAccess(
      readable: Set(component.readablePaths),
      writable: Folder.isThere(dataFolder) ? [dataFolder] : [])
    (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(256))
    try group.join(self)
  }

  deinit { continuation.finish() }

  var name: String { component.name }
  /// The library's path; nil for a built-in unit and a plug-in.
  var libraryPath: String? { component.bundle?.libraryPath }

  var statistics: bl_service_statistics {
    var statistics = bl_service_statistics()
    bl_service_link_statistics(link, &statistics)
    return statistics
  }

  func report(_ event: ProcessEvent) { continuation.yield(event) }

  /// Whether the unit has left cycles unanswered for longer than `timeout`, and answered none
  /// meanwhile. Called on the guardian's thread.
  func hangs(for timeout: Duration, at now: ContinuousClock.Instant) -> Bool {
    let statistics = statistics
    return state.withLock { state in
      guard state.isAttached, statistics.unanswered > 0 else {
        state.stall = nil
        return false
      }
      guard let stall = state.stall, stall.answers == statistics.answers else {
        state.stall = (now, statistics.answers, statistics.unanswered)
        return false
      }
      return now - stall.since > timeout && statistics.unanswered > stall.unanswered
    }
  }

  // MARK: - On the group's queue

  /// Loads the unit into a process.
  ///
  /// - Throws: `AudioUnitError` with the process's reason.
  func attach(to process: UnitProcess) throws(AudioUnitError) {
    var message = [CChar](repeating: 0, count: 512)
    let texts = [
      component.name, component.component.plugIn, component.plugInFolder, component.dataFolder,
    ].map { text in text.map { strdup($0) } }
    defer { for text in texts { free(text ?? nil) } }
    var source = bl_service_source(
      name: texts[0] ?? nil, library: library?.descriptor ?? -1, plug_in: texts[1] ?? nil,
      folder: texts[2] ?? nil, data_folder: texts[3] ?? nil, may_split: component.maySplit)
    let status = bl_service_link_attach(
      link, process.pointer, UInt32(lane), &source, &message, message.count)
    guard status == BL_OK else {
      let reason = String(message)
      throw AudioUnitError(unit: name, reason: reason.isEmpty ? "status \(status)" : reason)
    }
    state.withLock { $0.isAttached = true }
  }

  func detach() {
    state.withLock { $0.isAttached = false }
    bl_service_link_detach(link)
  }

  /// Unloads the unit; neither the group nor a neighbour uses the link afterwards.
  func leave() {
    Self.connecting.withLock { _ in
      state.withLock { ($0.hasLeft, $0.isAttached) = (true, false) }
    }
    bl_service_link_unload(link)
  }

  /// A lock held while the links of two units are used, so that neither of them leaves.
  private static let connecting = Guarded(())

  /// Lets the unit's process pass its output to the process of `next`, if that avoids a detour.
  func connectOutput(to next: UnitService) {
    Self.connecting.withLock { _ in
      state.withLock { $0.next = next }
      next.state.withLock { $0.previous = self }
      guard !state.withLock({ $0.hasLeft }), !next.state.withLock({ $0.hasLeft }) else { return }
      var message = [CChar](repeating: 0, count: 512)
      _ = bl_service_link_connect(link, next.link, &message, message.count)
    }
  }

  /// Reconnects the unit with its neighbours after it has got another process.
  func reconnect() {
    let (previous, next) = state.withLock { ($0.previous, $0.next) }
    previous?.connectOutput(to: self)
    next.map(connectOutput)
  }
}

extension String {
  /// Creates the text in a buffer that C has filled, up to the first zero.
  package init(_ buffer: [CChar]) {
    self.init(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
