import CUnit
import CUnitHost
import Glibc

extension Check {
  static let renderThread = Check(
    "render-thread", "allocates, locks and calls nothing while it renders", needsOwnProcess: true
  ) { subject in
    guard subject.watchesCalls else {
      return .warning("calls cannot be watched in this build of the program")
    }
    let format = subject.plainFormat(maximumFrames: 512)
    let frames = 6000
    let host = try subject.host(format)
    var job = subject.noiseJob(
      format, frames: frames, events: subject.events(frames: frames, in: format))
    job.blockSizes = [64, 512, 17]
    let outputs = format.outputs.map { Sound(channels: $0, frames: frames) }
    bl_render_watch_clear()
    var result = bl_host_result()
    let error = host.withJob(job, outputs: outputs) { prepared in
      bl_unit_host_render_watched(host.renderer, &prepared, &result)
    }
    guard error == 0 else {
      return .warning(
        "this system does not let calls be watched: \(String(cString: strerror(error)))")
    }
    if result.status != BL_OK { throw Fault("render answers status \(result.status)") }
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
}
