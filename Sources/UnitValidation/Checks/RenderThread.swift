import AudioUnits
import CForeignUnits
import CUnitHost
import Glibc

/// Checks of the unit's effects on the render thread.
extension Check {
  static let stack = Check("stack", "renders in 256 KiB of stack") { subject in
    var used = 0
    if let problem = try render(
      subject, { bl_unit_host_render_measuring_stack($0, &$1, &$2, &used) })
    {
      return .warning("the stack cannot be measured: \(problem)")
    }
    let text = "\((used + 1023) / 1024) KiB"
    guard used <= Int(BL_UNIT_STACK) else {
      throw Fault("uses \(text) of stack; a host has \(Int(BL_UNIT_STACK) / 1024) KiB for it")
    }
    return .pass(text)
  }

  static let floatingPoint = Check(
    "floating-point", "leaves the thread's floating-point state as it is"
  ) { subject in
    guard let guarded = bl_guarded_unit(subject.descriptor) else { throw Fault("memory is short") }
    let checked = Subject(guarded, isPlugIn: subject.isPlugIn)
    let host = try checked.host()
    _ = try host.render(checked.noise(3000, events: checked.events(3000)))
    host.reset()
    for parameter in checked.parameters() { _ = host.value(at: parameter.address) }
    if let activity = bl_guarded_unit_fault(guarded) {
      throw Fault(
        "changes how the thread rounds, flushes denormals or traps"
          + " (\(String(cString: activity)) it)")
    }
    return .pass()
  }

  static let renderThread = Check(
    "render-thread", "allocates, locks and calls nothing while it renders", needsOwnProcess: true
  ) { subject in
    guard subject.watchesCalls else {
      return .warning("calls cannot be watched in this build of the program")
    }
    bl_render_watch_clear()
    if let problem = try render(subject, { bl_unit_host_render_watched($0, &$1, &$2) }) {
      return .warning("this system does not let calls be watched: \(problem)")
    }
    let calls = (0..<bl_render_watch_count()).map { index in
      var buffer = [CChar](repeating: 0, count: 64)
      let name =
        bl_render_watch_name(index, &buffer, buffer.count).map { String(cString: $0) } ?? ""
      let times = bl_render_watch_times(index)
      return times > 1 ? "\(name) (\(times) times)" : name
    }
    guard calls.isEmpty else { throw Fault("calls \(calls.joined(separator: ", "))") }
    return .pass("\(frames) frames watched")
  }

  private static let frames = 6000

  /// Renders noise with events in a special mode; returns the reason if the system does not permit
  /// it.
  private static func render(
    _ subject: Subject,
    _ render: (OpaquePointer?, inout bl_host_job, inout bl_host_result) -> Int32
  ) throws -> String? {
    let format = subject.plainFormat(maximumFrames: 512)
    let host = try subject.host(format)
    let job = subject.noise(
      frames, in: format, blocks: [64, 512, 17], events: subject.events(frames, in: format))
    let outputs = format.outputs.map { AudioPCMBuffer(channels: $0, frames: frames) }
    var result = bl_host_result()
    let error = host.withJob(job, outputs: outputs) { render(host.host, &$0, &result) }
    if error != 0 { return String(cString: strerror(error)) }
    if result.status != BL_OK { throw Fault("render answers status \(result.status)") }
    return nil
  }
}
