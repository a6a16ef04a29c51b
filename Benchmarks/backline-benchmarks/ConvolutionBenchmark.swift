import BacklineTestSupport
import Glibc

/// Stereo responses of two seconds in a running client, beside jconvolver's: the processor time of
/// all threads, each client at a JACK server of its own, by turns.
enum ConvolutionBenchmark {
  static func run() throws {
    let folder = try TemporaryFolder()
    _ = try folder.writeNoise(
      seconds: Measurement.amount(2, short: 1), channels: 2, to: "impulse.wav")
    var table = Table(
      title: "Convolution, stereo responses of 2 s, 64 frames", unit: "% of a processor",
      reference: "jconvolver")
    // JACK's own processor time varies by as much as one convolution costs.
    for count in Measurement.amount([1, 8], short: [1]) {
      table.rows += try rows(count, in: folder)
    }
    try table.show()
    if !Child.exists("jconvolver") {
      print("  jconvolver is not installed; apt install jconvolver")
    }
  }

  private static func rows(_ count: Int, in folder: TemporaryFolder) throws -> [Table.Row] {
    let rack = try folder.write("rack.yaml", bytes: Array(rack(count).utf8))
    let settings = try folder.write(
      "jconvolver.conf", bytes: Array(settings(count, folder).utf8))
    let hasPeer = Child.exists("jconvolver")
    func measure(_ command: [String]) throws -> Double {
      let server = try JackTestServer(period: 64)
      return try LiveBenchmark.share(
        of: command + [server.name], at: server, seconds: Measurement.amount(4, short: 1),
        // Only at SIGINT does jconvolver leave the server first, and now and then that hangs.
        end: { command[0] == "jconvolver" ? $0.interrupt() : $0.end() })
    }
    var measures = [
      { try measure([Child.sibling("backline"), "run", rack, "--server-name"]) },
      { try measure([Child.sibling("bare-client")]) },
    ]
    if hasPeer { measures.append { try measure(["jconvolver", settings, "-s"]) } }
    let medians = try Measurement.interleaved(rounds: 5, measures)
    let (ours, bare, peer) = (medians[0], medians[1], hasPeer ? medians[2] : nil)
    return [
      Table.Row("\(count), whole client", ours: ours, reference: peer),
      Table.Row(
        "\(count), less a bare client", ours: ours - bare, reference: peer.map { $0 - bare },
        aim: 0.7),
    ]
  }

  private static func rack(_ count: Int) -> String {
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
  }

  private static func settings(_ count: Int, _ folder: TemporaryFolder) -> String {
    let responses = (1...2 * count).map { channel in
      "/impulse/read \(channel) \(channel) 1 0 0 0 \(2 - channel % 2) impulse.wav\n"
    }
    return "/convolver/new \(2 * count) \(2 * count) 64 96000\n/cd \(folder.path(""))\n"
      + responses.joined()
  }
}
