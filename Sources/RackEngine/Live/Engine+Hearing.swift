import CKernel

/// A message that came in at one of the rack's MIDI inputs.
package struct HeardMIDI: Sendable, Equatable {
  /// The input's name.
  package var port: String
  /// One to three, the status byte first.
  package var bytes: [UInt8]
}

extension Engine {
  /// More than fingers do between two looks.
  private static let mostHeard = 1024

  /// Listens to what comes in at the rack's MIDI inputs from now on; nothing of before is told.
  package func beginHearing() async {
    heardMIDI = []
    await tellKernel(hears: true)
  }

  package func endHearing() async {
    heardMIDI = nil
    await tellKernel(hears: false)
  }

  /// What has come in since it was last asked, short of system exclusive.
  package func takeHeardMIDI() -> [HeardMIDI] {
    takeReports()
    defer { if heardMIDI != nil { heardMIDI = [] } }
    return heardMIDI ?? []
  }

  func take(_ report: bl_midi_report) {
    guard let inputs = rack?.plan.midiInputs, Int(report.port) < inputs.count,
      let count = heardMIDI?.count, count < Self.mostHeard
    else { return }
    let bytes = withUnsafeBytes(of: report.message.bytes) { Array($0) }
    heardMIDI?.append(
      HeardMIDI(
        port: inputs[Int(report.port)].name,
        bytes: Array(bytes.prefix(Int(report.message.length)))))
  }

  private func tellKernel(hears: Bool) async {
    var command = bl_command()
    command.type = BL_COMMAND_REPORT_MIDI
    command.reports_midi = hears
    _ = await post(command)
  }
}
