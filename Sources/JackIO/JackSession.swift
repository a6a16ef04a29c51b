import Dispatch

/// The JACK server that a rack uses.
public enum JackServerChoice: String, Sendable, CaseIterable {
  /// A running server.
  case join
  /// A running server, or else a new one.
  case auto
  /// A new server on the sound card.
  case alsa
  /// A new server without sound.
  case dummy
}

/// A client, and its server if that runs in this process.
public struct JackSession: Sendable {
  public let client: JackClient
  /// The server; nil if it runs in another process.
  public let server: JackServer?
  /// The choices made, with the reasons, for the musician.
  public let remarks: [String]
  /// The server's name; nil for the default.
  private let serverName: String?

  /// Loads libjack on another thread, for a client that is opened soon.
  public static func loadLibrary() {
    DispatchQueue.global().async { _ = try? JackLibrary() }
  }

  /// Opens a client at the server that `choice` asks for.
  public static func open(
    clientName: String, choice: JackServerChoice, options: JackServer.Options = .init()
  ) async throws -> JackSession {
    if choice == .join || choice == .auto {
      do {
        let client = try await Self.client(named: clientName, at: options.name)
        return JackSession(client: client, server: nil, name: options.name, remarks: [])
      } catch JackError.noServer where choice == .auto {
        // There is no server to join.
      }
    }
    return try await start(clientName, options, choice, nil)
  }

  /// Opens a client at the server of the same name again, once the former client is closed; a server of
  /// this process is restarted with the same driver.
  ///
  /// - Throws: `JackError.noServer` or `.serverNotStarted` while there is none.
  package func reopened(from saved: JackSavedState) async throws -> JackSession {
    let name = saved.clientName
    if let server {
      await server.stop()
      return try await Self.start(name, server.options, server.driver, saved)
    }
    let client = try await Self.client(named: name, at: serverName, from: saved)
    return JackSession(client: client, server: nil, name: serverName, remarks: [])
  }

  private static func client(
    named name: String, at server: String?, from saved: JackSavedState? = nil
  ) async throws -> JackClient {
    try await JackTimeout.run {
      try await JackClient.open(name: name, server: server, from: saved)
    } discard: {
      await $0.close()
    }
  }

  /// The timeout for a start, since a sound card takes a while to open.
  private static let maximumTimeToStart = Duration.seconds(15)

  private static func start(
    _ clientName: String, _ options: JackServer.Options, _ choice: JackServerChoice,
    _ saved: JackSavedState?
  ) async throws -> JackSession {
    let server = try await JackTimeout.run(within: maximumTimeToStart) {
      try await JackServer.start(options, choice)
    } discard: {
      await $0.stop()
    }
    do {
      let client = try await Self.client(named: clientName, at: server.name, from: saved)
      return JackSession(
        client: client, server: server, name: server.name, remarks: server.remarks)
    } catch {
      await server.stop()
      throw error
    }
  }

  private init(client: JackClient, server: JackServer?, name: String?, remarks: [String]) {
    self.client = client
    self.server = server
    serverName = name
    self.remarks =
      client.name == client.requestedName
      ? remarks
      : remarks + [
        "the name \"\(client.requestedName)\" is taken; JACK calls us \"\(client.name)\""
      ]
  }

  /// Closes the client, then the server; in the background if JACK does not respond within seconds.
  public func close() async {
    try? await JackTimeout.run(within: JackTimeout.default + JackMetadata.timeout) {
      await client.close()
      await server?.stop()
    }
  }
}
