import CKernel
import JackIO
import RackModel

/// A message that was received at one of the rack's MIDI inputs.
package struct ReceivedMIDI: Sendable, Equatable {
  /// The name of the input.
  package var port: String
  /// One to three bytes.
  package var bytes: [UInt8]

  package init(port: String, bytes: [UInt8]) { (self.port, self.bytes) = (port, bytes) }
}

extension Engine {
  /// Returns a stream of the messages that the rack's MIDI inputs receive from now on, except system exclusive.
  /// Each element, ten times a second, has the messages since the last, which may be none.
  package func receivedMIDI() async -> AsyncStream<[ReceivedMIDI]> {
    let (stream, reader) = AsyncStream<[ReceivedMIDI]>.makeStream(
      bufferingPolicy: .bufferingNewest(100))
    let number = midiReaders.add(reader)
    reader.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.removeMIDIReader(number) }
    }
    await updateMIDIReports()
    return stream
  }

  private func removeMIDIReader(_ number: Int) async {
    midiReaders.remove(number)
    await updateMIDIReports()
  }

  private func updateMIDIReports() async {
    let isRead = !midiReaders.isEmpty
    _ = await send(bl_command(BL_COMMAND_REPORT_MIDI) { $0.reports_midi = isRead })
  }

  func receive(_ report: bl_midi_report) {
    guard let name = midiInputName(report.port) else { return }
    midiReaders.receive(ReceivedMIDI(port: name, bytes: Self.bytes(of: report.message)))
  }

  func receive(_ telemetry: bl_midi_telemetry, at port: Int) {
    guard telemetry.count > 0, let name = midiInputName(UInt32(port)),
      let index = snapshot.midiInputs.firstIndex(where: { $0.name == name })
    else { return }
    snapshot.midiInputs[index].count += Int(telemetry.count)
    snapshot.midiInputs[index].last = MIDIText(Self.bytes(of: telemetry.last)).description
  }

  private func midiInputName(_ port: UInt32) -> String? {
    guard let inputs = rack?.plan.midiInputs, Int(port) < inputs.count else { return nil }
    return inputs[Int(port)].name
  }

  private static func bytes(of message: bl_midi_event) -> [UInt8] {
    withUnsafeBytes(of: message.bytes) { Array($0.prefix(Int(message.length))) }
  }

  /// Handles a pressed control: reports its scene or song, or executes its command.
  func receive(_ report: bl_control_report) {
    guard let graph = report.graph, let plan = kernel.graphs[graph]?.plan else { return }
    let index = Int(report.control)
    guard index < plan.controls.count else {
      let calls = plan.sortedSongCalls
      guard index - plan.controls.count < calls.count else { return }
      log.observer?(.song(calls[index - plan.controls.count].song))
      return
    }
    switch plan.controls[index].action {
    case .recall(let scene):
      // The report of an earlier press may come late.
      guard report.sample_time >= lastRecall else { return }
      lastRecall = report.sample_time
      self.report(.scene(plan.scenes[scene].name))
    case .tap: tap(at: Double(report.sample_time) / snapshot.sampleRate)
    case .panic: self.report(.remark(Self.panicText))
    case .command(let command): log.observer?(.command(command))
    case .move: break
    }
  }

  /// Sends a MIDI message to the rack's MIDI input at an index, as if it had arrived there.
  ///
  /// - Throws: `RackError` if the bytes are not one message or too long, or there is no room.
  package func send(midi bytes: [UInt8], toInput index: Int) async throws {
    guard bl_midi_is_whole_message(bytes, UInt32(bytes.count)),
      bytes.count <= JackClient.longestSentMIDI
    else {
      let list = bytes.prefix(8).map { String($0, radix: 16, uppercase: true) }
      throw RackError("the bytes \(list.joined(separator: " ")) are not a MIDI message")
    }
    guard await server.client.send(midi: bytes, toInput: index) else {
      throw RackError("there is no room for more MIDI messages")
    }
  }

  private static let panicText = "panic: all notes end"

  /// Ends all notes, in all units that receive MIDI and at the rack's MIDI outputs; returns a sentence.
  ///
  /// - Throws: `RackError` if the kernel's ring stays full.
  public func panic() async throws -> String {
    guard await send(bl_command(BL_COMMAND_PANIC)) else {
      throw RackError("the kernel does not keep up")
    }
    return Self.panicText
  }

  /// Moves controls by messages as if they were received now; no unit receives the messages.
  package func follow(_ messages: [ReceivedMIDI]) async {
    for message in messages {
      guard let port = rack?.plan.midiInputs.firstIndex(where: { $0.name == message.port }) else {
        continue
      }
      _ = await send(
        bl_command(BL_COMMAND_CONTROL_MIDI) { command in
          command.node = UInt32(port)
          command.midi.length = UInt8(message.bytes.count)
          withUnsafeMutableBytes(of: &command.midi.bytes) { $0.copyBytes(from: message.bytes) }
        })
    }
  }
}
