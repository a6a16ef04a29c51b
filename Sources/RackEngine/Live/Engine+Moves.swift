import CKernel
import Glibc
import RackModel
import UnitModel

extension Engine {
  /// Records what commands, MIDI and whatever else move, with the transport's time, until `stopMoves`
  /// or the end of the engine. Lanes are none of it.
  ///
  /// - Throws: `Refusal`, also where the file is there already.
  public func startMoves(file path: String) async throws -> String {
    if let moves { throw Refusal("automation is being recorded into \(moves.path)") }
    guard !RecordingFile.isThere(path) else {
      throw Refusal(
        "\(path): there is a file of this name, and a recording takes the place of none")
    }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) + "/" } ?? "."
    guard access(folder, W_OK) == 0 else {
      throw Refusal("\(path): \(String(cString: strerror(errno)))")
    }
    moves = RecordedMoves(path: path)
    guard await sendReportsMoves(true) else {
      moves = nil
      throw RackError("the kernel does not keep up")
    }
    return "recording automation into \(path)"
  }

  /// Writes what was recorded; answers how much it is, in a few words.
  public func stopMoves() async throws -> String {
    guard moves != nil else { throw Refusal("no automation is being recorded") }
    _ = await sendReportsMoves(false)
    _ = await waits { self.moves?.isWhole ?? true }
    guard let moves else { throw Refusal("no automation is being recorded") }
    try moves.write()
    self.moves = nil
    let lanes = moves.laneCount == 1 ? "1 lane" : "\(moves.laneCount) lanes"
    let lost = moves.lost > 0 ? "; \(moves.lost) moves came too many at once and were lost" : ""
    return moves.laneCount == 0
      ? "nothing was moved while the transport rolled" : "\(lanes) in \(moves.path)\(lost)"
  }

  /// Writes what there is at the end.
  func endMoves() {
    guard let moves else { return }
    self.moves = nil
    do {
      try moves.write()
      continuation.yield(.remark("automation is in \(moves.path)"))
    } catch {
      continuation.yield(.warning("\(error)"))
    }
  }

  func take(_ report: bl_move_report) {
    moves?.lost += Int(report.lost)
    guard moves != nil, let unit = unit(of: report.node) else { return }
    let path: ParameterPath
    let info: ParameterInfo
    if report.address == UInt64.max {
      (path, info) = (ParameterPath(unit: unit.name, keyPath: ParameterPath.bypass), .bypass)
    } else if let parameter = unit.audioUnit.facts.parameter(at: report.address) {
      path = ParameterPath(unit: unit.name, keyPath: parameter.keyPath)
      info = parameter.info
    } else {
      return
    }
    let rate = snapshot.sampleRate
    moves?.move(
      path, info, at: Double(report.frame) / rate, from: report.before,
      to: info.nearest(to: report.value), ramp: Double(report.ramp_duration) / rate)
  }
}
