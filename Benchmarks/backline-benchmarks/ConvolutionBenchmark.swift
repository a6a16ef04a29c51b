import BacklineTestSupport
import Glibc

/// Stereo responses of two seconds in a running client, beside jconvolver's: the processor time of
/// all threads at a JACK server of its own, each client alone at it, by turns.
enum ConvolutionBenchmark {
  /// Stereo convolutions in one client: what JACK itself takes varies by as much as one takes.
  private static let count = 8

  static func run() throws {
    let folder = try TemporaryFolder()
    let server = try JackTestServer(period: 64)
    _ = try folder.writeNoise(
      seconds: Measurement.amount(2, short: 1), channels: 2, to: "impulse.wav")
    let rack = try folder.write("rack.yaml", bytes: Array(rack.utf8))
    let settings = try folder.write("jconvolver.conf", bytes: Array(settings(folder).utf8))
    let hasPeer = Child.exists("jconvolver")
    func measure(_ command: [String], endedBy signal: Int32 = SIGTERM) throws -> Double {
      try LiveBenchmark.share(
        of: command, at: server, warmUp: Measurement.amount(2, short: 1),
        seconds: Measurement.amount(4, short: 1), endedBy: signal)
    }
    var measures = [
      { try measure([Child.sibling("backline"), "run", rack, "--server-name", server.name]) },
      { try measure([Child.sibling("bare-client"), server.name]) },
    ]
    if hasPeer {
      // It leaves the server only at SIGINT.
      measures.append {
        try measure(["jconvolver", "-s", server.name, settings], endedBy: SIGINT)
      }
    }
    let medians = try Measurement.interleaved(rounds: 9, measures)
    let (ours, bare, peer) = (medians[0], medians[1], hasPeer ? medians[2] : nil)
    var table = Table(
      title: "Convolution, \(count) stereo responses of 2 s, 64 frames", unit: "% of a processor",
      reference: "jconvolver")
    table.rows.append(Table.Row("whole client", ours: ours, reference: peer))
    table.rows.append(
      Table.Row(
        "less a bare client", ours: ours - bare, reference: peer.map { $0 - bare }, aim: 0.7))
    try table.show()
    if !hasPeer { print("  jconvolver is not installed; apt install jconvolver") }
  }

  private static let rack: String = {
    let numbers = 1...count
    let unit =
      "{ unit: aufx/conv/bkln, properties: { file: impulse.wav }, parameters: { mix: 100 } }"
    return """
      rack: Convolution
      inputs: { \(numbers.map { "in\($0): { channels: 2 }" }.joined(separator: ", ")) }
      outputs: { \(numbers.map { "out\($0): { channels: 2 }" }.joined(separator: ", ")) }
      units: { \(numbers.map { "conv\($0): \(unit)" }.joined(separator: ", ")) }
      connections: [ \(numbers.map { "in\($0) -> conv\($0) -> out\($0)" }.joined(separator: ", ")) ]

      """
  }()

  private static func settings(_ folder: TemporaryFolder) -> String {
    let channels = 1...2 * count
    let responses = channels.map { channel in
      "/impulse/read \(channel) \(channel) 1 0 0 0 \(2 - channel % 2) impulse.wav\n"
    }
    return "/convolver/new \(2 * count) \(2 * count) 64 96000\n/cd \(folder.path(""))\n"
      + responses.joined()
  }
}
