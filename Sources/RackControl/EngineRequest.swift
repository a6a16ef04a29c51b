import Documents
import RackEngine
import RackModel
import SoundFiles
import UnitModel

/// What is asked of the engine rather than of its rack, in the same words at every mouth: transport,
/// tempo and recordings. None of it is undone.
enum EngineRequest: Equatable {
  /// Nil asks what it is.
  case tempo(String?)
  case tap
  case play
  case stop
  case locate(seconds: Double)
  case startRecording(RecordingRequest)
  case stopRecording
  case startMoves(file: String)
  /// Starts a unit's process anew.
  case restart(unit: String)
  /// Into another file than that of the start.
  case stopMoves(file: String?)

  static let words = [
    CommandWord("tempo", optional: ["value"]), CommandWord("tap"), CommandWord("play"),
    CommandWord("stop"), CommandWord("locate", ["to"]),
    CommandWord("record", ["action"], optional: ["file", "of", "samples"]),
    CommandWord("automate", ["action"], optional: ["file"]), CommandWord("restart", ["unit"]),
  ]

  /// Nil for another word; what its arguments are called has been checked.
  ///
  /// - Throws: `Refusal` where their values are none.
  init?(_ word: String, _ arguments: [String: String]) throws(Refusal) {
    switch word {
    case "tempo": self = .tempo(arguments["value"])
    case "tap": self = .tap
    case "play": self = .play
    case "stop": self = .stop
    case "locate":
      let time = try Quantity.asked(
        arguments["to"] ?? "", for: Self.transportTime, name: "to")
      self = .locate(seconds: Double(time))
    case "record":
      self =
        try Self.starts(arguments)
        ? .startRecording(try Self.recording(arguments)) : .stopRecording
    case "automate":
      self =
        try Self.starts(arguments)
        ? .startMoves(file: try Self.file(arguments, for: word))
        : .stopMoves(file: try arguments["file"].map(Self.fromRoot))
    case "restart": self = .restart(unit: arguments["unit"] ?? "")
    default: return nil
    }
  }

  private static func recording(
    _ arguments: [String: String]
  ) throws(Refusal) -> RecordingRequest {
    let file = try file(arguments, for: "record")
    let sources = (arguments["of"] ?? "").split(separator: ",").map {
      String($0.trimmingSpaces())
    }
    guard let text = arguments["samples"] else {
      return RecordingRequest(path: file, sources: sources)
    }
    guard let samples = SampleFormat(rawValue: text) else {
      let known = SampleFormat.allCases.map(\.rawValue).joined(separator: ", ")
      throw Refusal("“samples” is one of \(known), not “\(text)”")
    }
    return RecordingRequest(path: file, sources: sources, samples: samples)
  }

  private static func file(
    _ arguments: [String: String], for word: String
  ) throws(Refusal) -> String {
    guard let file = arguments["file"] else { throw Refusal("“\(word)” wants “file”") }
    return try fromRoot(file)
  }

  private static func fromRoot(_ path: String) throws(Refusal) -> String {
    try FilePlace.fromRoot(path, called: "file")
  }

  /// As long as JACK counts frames at any rate.
  fileprivate static let transportTime = ParameterInfo(
    identifier: "to", name: "to", unit: .seconds, minimum: 0, maximum: 20_000, defaultValue: 0)

  private static func starts(_ arguments: [String: String]) throws(Refusal) -> Bool {
    let (action, known) = (arguments["action"] ?? "", ["start", "stop"])
    guard known.contains(action) else {
      throw Refusal(
        "“action” is one of \(known.joined(separator: ", ")), not “\(action)”",
        suggestion: nearestWord(to: action, in: known))
    }
    return action == "start"
  }
}

extension Engine {
  /// Does what is asked; answers what was done, in a few words.
  func perform(_ request: EngineRequest) async throws -> String {
    switch request {
    case .tempo(nil): return tempoText()
    case .tempo(let value?): return try setTempo(value)
    case .tap: return try tap()
    case .play:
      try await startTransport()
      return "the transport rolls"
    case .stop:
      try await stopTransport()
      return "the transport stands"
    case .locate(let seconds):
      try await locate(seconds)
      return
        "the transport is at \(Quantity.format(Float(seconds), for: EngineRequest.transportTime))"
    case .restart(let unit):
      try restartProcess(of: unit)
      return "\(unit) is started anew"
    case .startRecording(let request): return try await startRecording(request)
    case .stopRecording: return try await stopRecording()
    case .startMoves(let file): return try await startMoves(file: file)
    case .stopMoves(let file): return try await stopMoves(file: file)
    }
  }
}
