import FoundationEssentials
import NIOCore
import QRCode

/// A request about the devices that may connect: `{"id":1,"command":"devices"}`, `"revoke"` with a `device`,
/// `"invite"` with a `role`. This process answers the request instead of the rack, and only for pages that edit.
struct DeviceRequest: Decodable {
  enum Command: String, Decodable { case devices, revoke, invite }

  var id: Int?
  var command: Command
  var device: String?
  var role: PageRole?

  private struct Answer<Result: Encodable>: Encodable {
    var id: Int?
    var result: Result?
    var error: String?
  }

  private struct Devices: Encodable {
    struct Device: Encodable {
      var id, name: String
      var role: PageRole
      /// The time of the first connection, in seconds since 1970.
      var since: Double
      var isConnected, isThis: Bool
    }
    var devices: [Device]
    var servesNetwork: Bool
  }

  private struct Invitation: Encodable {
    struct Link: Encodable {
      var link: String
      /// The rows of the link's QR code: `1` for a dark module.
      var code: [String]
    }
    /// A link for each address; the first use of any makes all of them void.
    var links: [Link]
    /// The time for which the links can be used, in seconds.
    var seconds: Int64
  }

  private struct Done: Encodable { var done: String }

  /// Carries out the request; returns the answer in the format of the control socket. Does not close the pages of a
  /// revoked device.
  func answer(_ server: PageServer, to asking: PageKeys.Device) -> ByteBuffer {
    switch command {
    case .devices: encode(devices(server, asking))
    case .revoke: revoke(server)
    case .invite: encode(invitation(server))
    }
  }

  private func devices(_ server: PageServer, _ asking: PageKeys.Device) -> Devices {
    let connected = server.connectedDevices
    return Devices(
      devices: server.keys.devices.map {
        Devices.Device(
          id: $0.id, name: $0.name, role: $0.role, since: $0.since,
          isConnected: connected.contains($0.id), isThis: $0.id == asking.id)
      }, servesNetwork: server.addresses.servesNetwork)
  }

  private func revoke(_ server: PageServer) -> ByteBuffer {
    do {
      guard let revoked = try device.flatMap(server.keys.revoke) else {
        return encode(Done?.none, error: "there is no device \(device ?? "")")
      }
      return encode(Done(done: "revoked \(revoked.name)"))
    } catch {
      return encode(Done?.none, error: "\(error)")
    }
  }

  private func invitation(_ server: PageServer) -> Invitation {
    let key = server.keys.issue(role ?? .stage)
    let network = server.addresses.network
    let links = (network.isEmpty ? [server.addresses.local] : network).map { host in
      let link = server.addresses.link(to: host, key: key)
      let rows = QRCode(link)?.modules.map { $0.map { $0 ? "1" : "0" }.joined() }
      return Invitation.Link(link: link, code: rows ?? [])
    }
    return Invitation(links: links, seconds: PageKeys.lifetime.components.seconds)
  }

  private func encode<Result: Encodable>(_ result: Result?, error: String? = nil) -> ByteBuffer {
    let answer = Answer(id: id, result: result, error: error)
    return ByteBuffer(bytes: (try? JSONEncoder().encode(answer)) ?? Data())
  }
}
