import BacklineTestSupport
import Foundation

/// The JACK server is killed at random moments and comes back, mostly with another rate or period.
enum ServerSoak {
  private static let kills = 100
  private static let timeout = 20.0

  private static let rack = """
    rack: \(SoakStage.client)
    outputs: { out: { channels: 2, connect: ["system:playback_1", "system:playback_2"] } }
    units:
      sound: { unit: augn/play/bkln, properties: { file: noise.wav } }
      echo: { unit: aufx/dely/bkln }
      near: { unit: aufx/gain/bkln, process: own }
    connections: [ sound -> echo -> near -> out ]

    """

  /// The expected connections: the rack's own, one by another client, and one to a client that returns
  /// after the server. The rack's other own connection is removed.
  private static let connections = [
    "\(SoakStage.client):out_1": ["capturer:in_1", "system:playback_2"],
    "\(SoakStage.client):out_2": ["system:playback_2"],
  ]

  static func run() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.writeNoise(seconds: 10, channels: 2, to: "noise.wav")
    let stage = try SoakStage(rack, period: 256, in: folder)
    defer { stage.end() }
    var probe: JackProbe? = try JackProbe(server: stage.server.name)
    try await connect(probe)
    var times: [Double] = []
    var lost = 0
    for number in 0..<kills {
      usleep(.random(in: 0..<1_000_000))
      if number % 4 == 3 { stage.server.stop() } else { stage.server.kill() }
      probe = nil
      usleep(.random(in: 0..<1_000_000))
      try stage.server.startAgain(
        period: [64, 128, 256, 512].randomElement() ?? 256,
        rate: [44_100, 48_000, 96_000].randomElement() ?? 48_000)
      let began = Measurement.now()
      let next = try JackProbe(server: stage.server.name)
      if await sounds(next, until: began + timeout) {
        times.append((Measurement.now() - began) * 1000)
      }
      if !isConnected(next) { lost += 1 }
      probe = next
    }
    try show(times.sorted(), lost: lost)
  }

  private static func connect(_ probe: JackProbe?) async throws {
    for (port, others) in connections {
      for other in others where probe?.connections(port).contains(other) == false {
        try probe?.connect(port, other)
      }
    }
    try probe?.disconnect("\(SoakStage.client):out_1", "system:playback_1")
    // A changed connection holds from the next cycle on.
    for _ in 0..<100 where !(probe.map(isConnected) ?? true) {
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  private static func isConnected(_ probe: JackProbe) -> Bool {
    connections.allSatisfy { probe.connections($0.key).sorted() == $0.value }
  }

  /// Waits until audio arrives by the connection that another client has made; false at `end`.
  private static func sounds(_ probe: JackProbe, until end: Double) async -> Bool {
    let silence = [[Float](repeating: 0, count: 64)]
    while Measurement.now() < end {
      if let heard = try? await probe.play(silence, frames: 64),
        heard.channels[0].contains(where: { $0 != 0 })
      {
        return true
      }
    }
    return false
  }

  private static func show(_ times: [Double], lost: Int) throws {
    var table = Table(
      title: "\(kills) ends of the server, 3 in 4 by SIGKILL", unit: "count", reference: "beside")
    table.rows.append(
      .init(
        "not all connections back", ours: Double(lost), reference: nil, ratio: Double(lost), aim: 0)
    )
    let silent = Double(kills - times.count)
    table.rows.append(
      .init("not sounding again", ours: silent, reference: nil, ratio: silent, aim: 0))
    table.addReturns(times, aim: nil, from: "server")
    try table.show()
  }
}
