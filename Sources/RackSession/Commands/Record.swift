import Documents
import RackEngine
import RackModel
import SoundFiles

/// The command that records the sound of a rack into a sound file.
struct Record: Command {
  var action = Action.toggle
  var file: String?
  var sources: [String] = []
  var samples: SampleFormat?

  enum Action: String, CaseIterable { case start, stop, toggle }

  static let declaration = CommandDeclaration(
    "record", "Record what a rack plays into a sound file.",
    detail: """
      One recording at a time. Every frame is written from the first to the last; if the disk is too \
      slow, silence replaces the missing frames, and is counted.
      """,
    examples: [
      "record start --out take.wav", "record start mic main_1 echo --out stems.wav",
    ],
    lane: .gesture, isSlow: true,
    target: .init(
      "record", calls: "record", ["action": Action.toggle.rawValue]))
  static let arguments: [CommandArgument<Self>] = [
    .required(
      "action", \.action, .choice(Action.allCases.map(\.rawValue)), "start, stop or toggle."
    ) { Action(rawValue: $0) ?? .toggle },
    .option(
      "file", \.file, .path,
      "The file, which must not exist yet: wav, w64, caf, aiff, au, flac. If none is given, it is "
        + "named after the rack and the time: in the present folder by the command line, otherwise "
        + "beside the rack's file.", label: "out"),
    .optional(
      "of", \.sources, .sources,
      "Inputs, outputs (main, main_1), units (echo) and their busses (split.2), each as a channel of the "
        + "file; without names all outputs."
    ) { $0.split(separator: ",").map(String.init) },
    .option(
      "samples", \.samples, .choice(SampleFormat.allCases.map(\.rawValue)),
      "Bits of a sample: 16, 24 or float; float if not given, for FLAC 24.", label: "bits"
    ) { SampleFormat(rawValue: $0) },
  ]

  func access(in session: isolated RackSession) -> Access { file == nil ? .edit : .files }

  func run(in session: isolated RackSession, from peer: Peer?) async throws -> Answer {
    let engine = session.engine
    let isRecording = action == .toggle ? await engine.status().recording != nil : action == .stop
    if isRecording { return .done(try await engine.stopRecording()) }
    let request = RecordingRequest(
      path: file ?? session.defaultRecordingPath, sources: sources, samples: samples)
    return .done(try await engine.startRecording(request))
  }
}

extension RackSession {
  /// The default path: beside the rack's file, named after the rack and the time.
  fileprivate var defaultRecordingPath: String {
    let file = rack.file.file
    return file.dropLast(FilePath.name(of: file).count)
      + RecordingRequest.defaultName(ofRack: rack.plan.name)
  }
}
