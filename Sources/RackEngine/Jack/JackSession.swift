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
        return JackSession(client: client, server: nil, remarks: [])
      } catch JackError.noServer where choice == .auto {
        // There is none to join.
      }
    }
    var options = options
    options.driver = JackServer.Driver(rawValue: choice.rawValue) ?? .auto
    let server = try await JackServer.start(options)
    do {
      let client = try await server.openClient(name: clientName)
      return JackSession(client: client, server: server, remarks: server.remarks)
    } catch {
      await server.stop()
      throw error
    }
  }

  private init(client: JackClient, server: JackServer?, remarks: [String]) {
    self.client = client
    self.server = server
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
