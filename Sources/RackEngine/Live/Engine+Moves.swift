import CKernel
import Documents
import Glibc
import RackModel
import SoundFiles
import UnitModel

extension Engine {
  /// Records the moves of parameters by commands, controls and scenes, but not by lanes, with the
  /// transport's time, until `stopMoves` or the end of the engine; returns a sentence.
  ///
  /// - Throws: `Refusal` if moves are already being recorded, or the file exists or cannot be created;
  ///   `RackError` if the kernel's ring stays full.
  public func startMoves(file path: String) async throws -> String {
    if let moves { throw Refusal("automation is being recorded into \(moves.path)") }
    guard !RecordingFile.exists(path) else {
      throw Refusal(RecordingFile.reasonNotToReplace(path))
    }
    guard access(FilePath.folder(of: path) + "/", W_OK) == 0 else {
      throw Refusal("\(path): \(String(cString: strerror(errno)))")
    }
    moves = RecordedMoves(path: path)
    guard await sendReportsMoves(true) else {
      moves = nil
      throw RackError("the kernel does not keep up")
    }
    return "recording automation into \(path)"
  }

  /// Writes the recorded moves; returns the number of lanes, in a few words.
  ///
  /// - Parameter path: the file; nil for that of `startMoves`.
  /// - Throws: `Refusal` if no moves are being recorded, or that names the file if it cannot be written; recording
  ///   then goes on.
  public func stopMoves(file path: String? = nil) async throws -> String {
    await receiveLastMoves()
    guard let moves else { throw Refusal("no automation is being recorded") }
    let path = path ?? moves.path
    do {
      if moves.laneCount > 0 { try moves.write(to: path) }
    } catch {
      self.moves?.isComplete = false
      guard await sendReportsMoves(true) else { throw RackError("the kernel does not keep up") }
      throw Refusal("\(error); recording goes on, and “automate stop” can name another file")
    }
    self.moves = nil
    let lanes = moves.laneCount == 1 ? "1 lane" : "\(moves.laneCount) lanes"
    let lost = moves.lost > 0 ? "; too many moves at once: \(moves.lost) lost" : ""
    return moves.laneCount == 0
      ? "nothing was moved while the transport rolled, so there is no file"
      : "\(lanes) in \(path)\(lost)"
  }

  /// Writes the recorded moves when the engine ends, under a free name if the file exists by now.
  func endMoves() async {
    await receiveLastMoves()
    guard let moves else { return }
    self.moves = nil
    guard moves.laneCount > 0 else {
      let reason = "nothing was moved while the transport rolled"
      report(.remark("there is no \(moves.path): \(reason)"))
      return
    }
    let request = RecordingRequest(path: moves.path)
    let path = RecordingFile.exists(moves.path) ? request.next().path : moves.path
    do {
      try moves.write(to: path)
      report(.remark("automation is in \(path)"))
    } catch {
      report(.warning("\(error)"))
    }
  }

  /// Ends the reports of moves, and receives those under way.
  private func receiveLastMoves() async {
    guard moves != nil else { return }
    _ = await sendReportsMoves(false)
    _ = await wait { self.moves?.isComplete ?? true }
  }

  private func sendReportsMoves(_ reports: Bool) async -> Bool {
    await send(bl_command(BL_COMMAND_REPORT_MOVES) { $0.reports_moves = reports })
  }

  func receive(_ report: bl_move_report) {
    moves?.lost += Int(report.lost)
    guard moves != nil, let unit = kernel.unit(report.node) else { return }
    let path: ParameterPath
    let info: ParameterInfo
    if report.change.address == UInt64.max {
      (path, info) = (ParameterPath(unit: unit.name, keyPath: ParameterPath.bypass), .bypass)
    } else if let parameter = unit.audioUnit.facts.parameter(at: report.change.address) {
      path = ParameterPath(unit: unit.name, keyPath: parameter.keyPath)
      info = parameter.info
    } else {
      return
    }
    let rate = snapshot.sampleRate
    // A lane's step is played by the kernel's own ramp again.
    let isStep = !report.change.is_line && report.change.ramp_duration <= bl_ramp_frames(rate)
    moves?.move(
      path, info, at: Double(report.frame) / rate, from: report.before,
      to: info.nearest(to: report.change.value),
      ramp: isStep ? 0 : Double(report.change.ramp_duration) / rate, isLine: report.change.is_line)
  }
}
