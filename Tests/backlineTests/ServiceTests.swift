import BacklineTestSupport
import Foundation
import Testing

extension LivePrograms {
  /// A rack as a service: its notifications to systemd, its log, and its metrics.
  @Suite(.serialized) struct ServicePrograms {
    /// A socket like systemd's, and the notifications that it received.
    private final class NotifySocket {
      let path: String
      private let descriptor: Int32

      init(_ path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let status = withUnsafePointer(to: &address) {
          $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
          }
        }
        try #require(status == 0)
      }

      deinit { close(descriptor) }

      /// The next notification; nil after a minute without one.
      func next() -> String? {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Foundation.poll(&poll, 1, 60_000) == 1 else { return nil }
        var block = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &block, block.count, 0)
        return String(decoding: block.prefix(max(count, 0)), as: UTF8.self)
      }

      func waitFor(_ text: String) -> String? {
        while let notification = next() { if notification.contains(text) { return notification } }
        return nil
      }
    }

    @Test func systemdIsToldHowItIsDoing() async throws {
      let folder = try TemporaryFolder()
      let rack = try LivePrograms.writeGain(0, to: "level.yaml", in: folder)
      let socket = try NotifySocket(folder.path("notify"))
      try await Rig.run(
        "run", rack, "--log", "text",
        wrapper: ["NOTIFY_SOCKET=\(socket.path)", "WATCHDOG_USEC=100000"]
      ) { rig in
        #expect(socket.waitFor("READY=1") == "READY=1\nSTATUS=playing Level, 48000 Hz, 256 frames")
        // A busy machine may delay some notifications.
        var isInTime = false
        for _ in 0..<20 where !isInTime {
          #expect(socket.waitFor("WATCHDOG=1") != nil)
          let begin = ContinuousClock.now
          for _ in 0..<10 { #expect(socket.waitFor("WATCHDOG=1") != nil) }
          isInTime = ContinuousClock.now - begin < .milliseconds(10 * 100)
        }
        #expect(isInTime, "ten take longer than ten limits")
        rig.program.send(SIGTERM)
        #expect(socket.waitFor("STOPPING=1") != nil)
        #expect(rig.program.waitForEnd() == 0)
        #expect(rig.program.output.isEmpty && rig.program.errors.contains(" notice backline: "))
      }
    }

    @Test func eventsAreLoggedWithTheirFacts() async throws {
      let folder = try TemporaryFolder()
      let rack = try LivePrograms.writeGain(0, to: "level.yaml", in: folder)
      let take = folder.path("take.wav")
      try await Rig.run("run", rack, "--log", "json", "--record", take) { rig in
        _ = try rig.probe
        try await rig.program.waitForErrors(#""event":"connected""#)
        try await rig.program.waitForErrors(#""event":"recording_started""#)
        let lines = try rig.program.errors.split(separator: "\n").map {
          try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let ready = try #require(lines.first { $0["event"] as? String == "ready" })
        #expect(ready["level"] as? String == "notice" && ready["rack"] as? String == "Level")
        #expect(ready["buffer_size"] as? Int == 256 && (ready["time"] as? String)?.last == "Z")
        let connected = try #require(lines.first { $0["event"] as? String == "connected" })
        #expect((connected["port"] as? String)?.hasPrefix("Level:") == true)
        let started = try #require(
          lines.first { $0["event"] as? String == "recording_started" })
        #expect(started["file"] as? String == take && started["channels"] as? Int == 1)
        _ = try Program.run("ctl", "record", "stop")
        try await rig.program.waitForErrors(#""event":"recording_ended""#)
        #expect(rig.program.output.isEmpty)
      }
    }

    @Test func aLateCycleIsLoggedWithThoseThatTookMostOfIt() async throws {
      let folder = try TemporaryFolder()
      let rack = try LivePrograms.writeGain(0, to: "level.yaml", in: folder)
      try await Rig.run("run", rack, "--log", "json") { rig in
        try await rig.program.waitForErrors(#""event":"ready""#)
        try await eventually("a cycle is late") {
          rig.server.pause()
          defer { rig.server.resume() }
          try await Task.sleep(for: .milliseconds(50))
          return rig.program.errors.contains(#""units":[{"#)
        }
        let line = try #require(
          rig.program.errors.split(separator: "\n").first { $0.contains(#""units":[{"#) })
        let xrun = try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(xrun["event"] as? String == "xrun" && (xrun["late"] as? [String])?.isEmpty == true)
        #expect(try #require(xrun["nanoseconds"] as? Int) > 0 && xrun["share"] is Double)
        let units = try #require(xrun["units"] as? [[String: Any]])
        #expect(units.count == 1 && units[0]["unit"] as? String == "level")
        #expect(try Program.run("top", "--once").output.contains("\nlast xrun: the rack took "))
      }
    }

    /// Every line must be valid for Prometheus: a comment, or a name, labels and a number.
    @Test func metricsAreThoseOfTheRack() async throws {
      let folder = try TemporaryFolder()
      let rack = try folder.write(
        "level.yaml",
        bytes: Array(
          """
          rack: Level
          inputs: { in: { channels: 1 } }
          outputs: { out: { channels: 1 } }
          units:
            level: { unit: aufx/gain/bkln }
            gate: { unit: aufx/gate/bkln, parameters: { range: 40 dB } }
          connections: [ in -> gate -> level -> out ]
          """.utf8))
      try await Rig.run("run", rack) { rig in
        try await rig.program.waitForOutput("ready: ")
        let metrics = try Program.run("ctl", "metrics")
        #expect(metrics.status == 0)
        let lines = metrics.output.split(separator: "\n")
        for line in lines where !line.hasPrefix("# ") {
          #expect(
            line.wholeMatch(
              of: /backline_[a-z0-9_]+\{client="Level"(,[a-z]+="[^"]*")*\} [-+.0-9eE]+/) != nil,
            "\(line)")
        }
        #expect(lines.contains(#"backline_server_up{client="Level"} 1"#))
        #expect(lines.contains(#"backline_sample_rate_hertz{client="Level"} 48000"#))
        #expect(lines.contains(#"backline_unit_bypassed{client="Level",unit="level"} 0"#))
        #expect(
          lines.contains(
            #"backline_unit_reading{client="Level",parameter="gate.gain_reduction"} 40"#))
        #expect(lines.contains("# TYPE backline_xruns_total counter"))
        let names = lines.filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != "{" } }
        for line in lines where line.hasPrefix("# TYPE ") {
          let name = line.split(separator: " ")[2]
          #expect(names.contains { $0 == name }, "\(name)")
        }
      }
    }
  }
}
