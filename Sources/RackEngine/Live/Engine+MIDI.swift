import CKernel
import RackModel

/// A message that came in at one of the rack's MIDI inputs.
package struct ReceivedMIDI: Sendable, Equatable {
  /// The input's name.
  package var port: String
  /// One to three, the status byte first.
  package var bytes: [UInt8]

  package init(port: String, bytes: [UInt8]) { (self.port, self.bytes) = (port, bytes) }
}

extension Engine {
  /// More than fingers do between two looks.
  private static let mostReceived = 1024

  /// Keeps what comes in at the rack's MIDI inputs from now on, short of system exclusive, for a reader
  /// of that number, until it stops.
  package func startReadingMIDI() async -> Int {
    midiReaderCount += 1
    midiReaders[midiReaderCount] = []
    if midiReaders.count == 1 { await sendReportsMIDI(true) }
    return midiReaderCount
  }

  package func stopReadingMIDI(_ reader: Int) async {
    midiReaders[reader] = nil
    if midiReaders.isEmpty { await sendReportsMIDI(false) }
  }

  /// What has come in since the reader last asked.
  package func readMIDI(_ reader: Int) -> [ReceivedMIDI] {
    takeReports()
    defer { if midiReaders[reader] != nil { midiReaders[reader] = [] } }
    return midiReaders[reader] ?? []
  }

  private func sendReportsMIDI(_ reports: Bool) async {
    var command = bl_command()
    command.type = BL_COMMAND_REPORT_MIDI
    command.reports_midi = reports
    _ = await post(command)
  }

  func take(_ report: bl_midi_report) {
    guard let name = midiInputName(report.port) else { return }
    let message = ReceivedMIDI(port: name, bytes: Self.bytes(of: report.message))
    for (reader, messages) in midiReaders where messages.count < Self.mostReceived {
      midiReaders[reader]?.append(message)
    }
  }

  func take(_ report: bl_midi_input_report) {
    guard let name = midiInputName(report.port),
      let place = snapshot.midiInputs.firstIndex(where: { $0.name == name })
    else { return }
    snapshot.midiInputs[place].count += Int(report.count)
    snapshot.midiInputs[place].last = MIDIText(Self.bytes(of: report.last)).description
  }

  private func midiInputName(_ port: UInt32) -> String? {
    guard let inputs = rack?.plan.midiInputs, Int(port) < inputs.count else { return nil }
    return inputs[Int(port)].name
  }

  private static func bytes(of message: bl_midi_event) -> [UInt8] {
    withUnsafeBytes(of: message.bytes) { Array($0.prefix(Int(message.length))) }
  }

  /// A control was pressed: reports its scene, or has its command carried out.
  func take(_ report: bl_control_report) {
    guard let graph = report.graph, let plan = holdings[graph]?.plan else { return }
    let place = Int(report.control)
    guard place < plan.controls.count else {
      let calls = plan.sortedSongCalls
      guard place - plan.controls.count < calls.count else { return }
      commandObserver?(.song(calls[place - plan.controls.count].song))
      return
    }
    switch plan.controls[place].action {
    case .recall(let scene):
      // Of controls that are pressed too fast to be reported each time, an earlier one may come late.
      guard report.sample_time >= lastRecall else { return }
      lastRecall = report.sample_time
      continuation.yield(.scene(plan.scenes[scene].name))
    case .command(.tap): takeTap(at: Double(report.sample_time) / snapshot.sampleRate)
    case .command(.panic): continuation.yield(.remark(Self.panicText))
    case .command(let command): commandObserver?(command)
    case .move: break
    }
  }

  private static let panicText = "panic: all notes end"

  /// Ends all notes, in all units that receive MIDI and at the rack's MIDI outputs.
  public func panic() async throws -> String {
    guard await post(.panic) else { throw RackError("the kernel does not keep up") }
    return Self.panicText
  }

  /// Has controls follow messages as if they came in now; no unit receives them.
  package func follow(_ messages: [ReceivedMIDI]) async {
    for message in messages {
      guard let port = rack?.plan.midiInputs.firstIndex(where: { $0.name == message.port }) else {
        continue
      }
      var command = bl_command()
      command.type = BL_COMMAND_CONTROL_MIDI
      command.node = UInt32(port)
      command.midi.length = UInt8(message.bytes.count)
      withUnsafeMutableBytes(of: &command.midi.bytes) { $0.copyBytes(from: message.bytes) }
      _ = await post(command)
    }
  }
}
