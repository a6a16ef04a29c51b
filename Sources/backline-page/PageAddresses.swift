/// Where the page is: the hosts that browsers may ask for, and the links that lead there.
struct PageAddresses: Sendable {
  let port: Int
  /// Whether other machines of the network reach the page.
  let servesNetwork: Bool
  /// Nil for plain HTTP.
  let certificate: PageCertificate?

  private static let ownNames = ["127.0.0.1", "localhost"]

  var scheme: String { certificate == nil ? "http" : "https" }

  /// What this machine calls itself, where it can by a name of the certificate.
  var local: String {
    guard let names = certificate?.names else { return Self.ownNames[0] }
    return Self.ownNames.first(where: names.contains) ?? "localhost"
  }

  /// What the network calls this machine: the certificate's names, otherwise its addresses.
  var network: [String] {
    guard servesNetwork else { return [] }
    let names = certificate?.names.filter { !Self.ownNames.contains($0) && $0.first != "*" } ?? []
    return names.isEmpty ? LocalAddresses.all : names
  }

  func link(to host: String, key: String) -> String { "\(scheme)://\(host):\(port)/#k=\(key)" }

  /// Whether the page answers a request for this host, such as `127.0.0.1:8080`: another name that leads
  /// here may belong to a foreign page (DNS rebinding).
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
