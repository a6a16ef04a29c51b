/// The addresses of the page: the hosts that browsers may request, and links to them.
struct PageAddresses: Sendable {
  let port: Int
  /// Whether the page is served to other machines of the network.
  let servesNetwork: Bool
  /// The certificate for HTTPS; nil for plain HTTP.
  let certificate: PageCertificate?

  private static let ownNames = ["127.0.0.1", "localhost"]

  var scheme: String { certificate == nil ? "http" : "https" }

  /// The host name for this machine itself, in the certificate if possible.
  var local: String {
    guard let names = certificate?.names else { return Self.ownNames[0] }
    return Self.ownNames.first(where: names.contains) ?? "localhost"
  }

  /// The hosts of this machine in the network: the names of the certificate, otherwise the machine's addresses.
  var network: [String] {
    guard servesNetwork else { return [] }
    let names = certificate?.names.filter { !Self.ownNames.contains($0) && $0.first != "*" } ?? []
    return names.isEmpty ? LocalAddresses.all : names
  }

  func link(to host: String, key: String) -> String { "\(scheme)://\(host):\(port)/#k=\(key)" }

  /// Whether the page answers a request for this host, such as `127.0.0.1:8080`. Any other name may belong to a
  /// foreign page (DNS rebinding).
  func allows(host: String?) -> Bool {
    guard var name = host?.lowercased() else { return false }
    let suffix = ":\(port)"
    if name.hasSuffix(suffix) {
      name.removeLast(suffix.count)
    } else if port != (certificate == nil ? 80 : 443) {
      return false
    }
    return Self.ownNames.contains(name) || certificate?.covers(name) == true
      || servesNetwork && LocalAddresses.all.contains(name)
  }

  /// Whether a page of this origin may connect.
  func allows(origin: String?) -> Bool {
    let start = "\(scheme)://"
    guard let origin, origin.hasPrefix(start) else { return false }
    return allows(host: String(origin.dropFirst(start.count)))
  }
}
