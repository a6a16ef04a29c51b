import BacklineTestSupport
import Foundation
import Testing

#if TLS
  extension LivePrograms {
    /// The page with a certificate that the user gives.
    @Suite(.serialized) struct PageEncryption {
      private static let rack = """
        rack: Page
        inputs: { in: { channels: 1 } }
        outputs: { out: { channels: 1 } }
        units: { tone: { unit: aufx/eqpm/bkln }, level: { unit: aufx/gain/bkln } }
        connections: [ in -> tone -> level -> out ]
        """

      private let folder: TemporaryFolder

      init() throws {
        folder = try TemporaryFolder()
        try openssl(
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
          "-keyout", path("key"), "-out", path("certificate"), "-days", "2", "-subj", "/CN=Rack",
          "-addext", "subjectAltName=IP:127.0.0.1,DNS:rack.example.org,DNS:*.stage.example.org")
      }

      private func path(_ name: String) -> String { folder.path("\(name).pem") }

      /// Runs openssl with this input, and returns its output.
      @discardableResult
      private func openssl(_ arguments: String..., input: String = "") throws -> String {
        let program = Process()
        program.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        program.arguments = arguments
        let (from, to) = (Pipe(), Pipe())
        (program.standardInput, program.standardOutput) = (to, from)
        program.standardError = FileHandle.nullDevice
        try program.run()
        to.fileHandleForWriting.write(Data(input.utf8))
        try to.fileHandleForWriting.close()
        let output = from.fileHandleForReading.readDataToEndOfFile()
        program.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
      }

      private var options: [String] {
        ["--page-certificate", path("certificate"), "--page-key", path("key")]
      }

      @Test func thePageIsEncrypted() async throws {
        try await Pages().run(options, rack: Self.rack) { _, link, _ in
          #expect(link.url.hasPrefix("https://127.0.0.1:"))
          let browser = try Browser("--ignore-certificate-errors")
          let page = try browser.open(link.url)
          try await page.wait(forElement: "#tools button")
          // A knob, which goes over wss.
          try page.show("unit/level")
          try await page.wait(forElement: "[role=slider][aria-label=Gain]")
          try page.value("document.querySelector('[role=slider][aria-label=Gain]').focus()")
          try page.press("Home")
          try await eventually("the knob is heard") {
            try Program.run("ctl", "--rack", "Page", "get", "level.gain").output != "0 dB\n"
          }
          // A unit's view loads its files from this origin.
          let policy = try page.value(
            """
            import('/link.js').then(({ link }) => fetch(`/v/${link.views}/aufx-eqpm-bkln/index.html`))
              .then((answer) => answer.headers.get('content-security-policy'))
            """)
          let own = "https://127.0.0.1:\(link.port)"
          #expect(
            (policy as? String)?.contains("script-src \(own);") == true, "\(policy ?? "none")")
          #expect(browser.complaints == [])

          let request = "GET / HTTP/1.1\r\nConnection: close\r\nHost: "
          let plain = try link.send("\(request)127.0.0.1:\(link.port)\r\n")
          #expect(!plain.contains("HTTP/1.1"))
          for (host, status) in [
            ("rack.example.org", "200"), ("front.stage.example.org", "200"), ("localhost", "200"),
            ("stage.example.org", "421"), ("evil.example", "421"),
          ] {
            let answer = try openssl(
              "s_client", "-quiet", "-connect", "127.0.0.1:\(link.port)",
              input: "\(request)\(host):\(link.port)\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(host): \(answer.prefix(40))")
          }
        }
      }

      @Test func aCertificateThatIsWrongIsNamed() async throws {
        try openssl(
          "genpkey", "-algorithm", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out",
          path("other"))
        try openssl(
          "pkey", "-in", path("key"), "-aes128", "-passout", "pass:x", "-out", path("locked"))
        let request = try openssl("req", "-new", "-key", path("key"), "-subj", "/CN=Rack")
        try openssl(
          "x509", "-req", "-signkey", path("key"), "-days", "-1", "-out", path("old"),
          input: request)
        _ = try folder.write("empty.pem", bytes: [])
        let rack = try folder.write("page.yaml", bytes: Array(Self.rack.utf8))
        try await Rig.run([
          "run", rack, "--page", "--page-certificate", path("certificate"), "--page-key",
          path("other"),
        ]) { rig in
          // The music plays on without the page, and the reason is said once.
          try await rig.program.waitForOutput(
            "warning: the page cannot be served: \(path("other")): the key does not fit")
          try await rig.program.waitForOutput("ready: Page")
          #expect(try Program.run("ctl", "--rack", "Page", "get", "level.gain").status == 0)
          for (certificate, key, reason) in [
            ("certificate", "none", "none.pem: cannot be read: No such file"),
            ("none", "key", "none.pem: cannot be read: No such file"),
            ("certificate", "other", "other.pem: the key does not fit the certificate"),
            ("certificate", "locked", "locked.pem: the key is encrypted"),
            ("old", "key", "old.pem: the certificate expired on 20"),
            ("key", "key", "key.pem: it holds no certificate"),
            ("certificate", "empty", "empty.pem: it holds no private key"),
          ] {
            let refused = try Program.run(
              "page", "--rack", "Page", "--page-certificate", path(certificate), "--page-key",
              path(key))
            #expect(refused.status != 0 && refused.errors.contains(reason), "\(refused)")
            #expect(refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
          }
          let attempts = rig.program.output.components(separatedBy: "page cannot be served").count
          #expect(attempts == 2, "\(rig.program.output)")
        }
      }

      @Test func aLinkForTheNetworkIsACodeOnATerminal() async throws {
        let rack = try folder.write("page.yaml", bytes: Array(Self.rack.utf8))
        let server = try JackTestServer(period: 256)
        defer { server.stop() }
        let terminal = try PseudoTerminal(
          columns: 100, lines: 60,
          ["run", rack, "--server-name", server.name, "--page-lan"] + options)
        try await terminal.wait { $0.contains("https://rack.example.org") && $0.contains("Ctrl-C") }
        let link = try #require(
          terminal.text.split(separator: "\n").first { $0.contains("rack.example.org") })
        #expect(try QRCodeReader.read(screen: terminal.text) == link.dropFirst("page ".count))
        terminal.type("\u{3}")
        #expect(terminal.waitForEnd() == 0)
      }
    }
  }
#else
  extension LivePrograms {
    /// A build that does not encrypt; `make test TLS=1` builds and tests the other.
    @Suite struct PageEncryption {
      @Test func aCertificateIsRefusedWithTheWayToGetIt() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("rack.pem", bytes: [])
        let rack = "rack: Page\ninputs: { in: }\noutputs: { out: }\nconnections: [ in -> out ]\n"
        let path = try folder.write("page.yaml", bytes: Array(rack.utf8))
        try await Rig.run(["run", path, "--page", "--page-certificate", file, "--page-key", file]) {
          try await $0.program.waitForOutput("“make run TLS=1” builds one that does")
          try await $0.program.waitForOutput("ready: Page")
        }
      }
    }
  }
#endif
