/// How a rack comes to a JACK server.
public enum JackServerChoice: String, Sendable, CaseIterable {
  /// Joins one that runs.
  case join
  /// Joins one that runs, or else starts one.
  case auto
  /// Starts one on the sound card.
  case alsa
  /// Starts one without sound.
  case dummy
}

/// A client, and the server in this process that it may need.
public struct JackSession: Sendable {
  public let client: JackClient
  /// Nil where the server is another process.
  public let server: JackServer?
  /// What was chosen and why, a sentence each, for the musician.
  public let remarks: [String]
  /// Nil for the default one.
  private let serverName: String?

  /// Opens a client at the server that `choice` asks for. `options.driver` is not read.
  public static func open(
    clientName: String, choice: JackServerChoice, options: JackServer.Options = .init()
  ) async throws -> JackSession {
    if choice == .join || choice == .auto {
      do {
        let client = try await Patience.answer { [name = options.name] in
          try await JackClient.open(name: clientName, server: name)
        } discard: {
          await $0.close()
        }
        return JackSession(client: client, server: nil, name: options.name, remarks: [])
      } catch JackError.noServer where choice == .auto {
        // There is none to join.
      }
    }
    var options = options
    options.driver = JackServer.Driver(rawValue: choice.rawValue) ?? .auto
    return try await start(clientName, options, nil)
  }

  /// Comes to the server of the same name once more, when the one that was there is gone: to one that
  /// somebody has started, or, where it was our own, to one that is started in its place with the
  /// same driver. The former client must be closed.
  ///
  /// - Throws: `JackError.noServer` or `.serverNotStarted` as long as there is none.
  package func reopened(continuing legacy: JackLegacy) async throws -> JackSession {
    let name = legacy.clientName
    if let server {
      await server.stop()
      return try await Self.start(name, server.options, legacy)
    }
    let client = try await JackClient.open(name: name, server: serverName, continuing: legacy)
    return JackSession(client: client, server: nil, name: serverName, remarks: [])
  }

  private static func start(
    _ clientName: String, _ options: JackServer.Options, _ legacy: JackLegacy?
  ) async throws -> JackSession {
    let server = try await JackServer.start(options)
    do {
      let client = try await server.openClient(name: clientName, continuing: legacy)
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

  /// Closes the client, then the server.
  public func close() async {
    await client.close()
    await server?.stop()
  }
}
