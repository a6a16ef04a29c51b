import ArgumentParser
import Documents
import Glibc
import RackControl
import RackStage

/// The options for a rack's page.
struct PageOptions: ParsableArguments {
  @Flag(inversion: .prefixedNo, help: "Serve the rack's page; the default on a terminal.")
  var page: Bool?

  @OptionGroup var network: PageNetworkOptions

  var options: PageProcess.Options? {
    let isWanted = page ?? (Terminal.outputIsTerminal || network.isGiven)
    return isWanted ? network.options : nil
  }
}

/// The options for the network addresses of a page.
struct PageNetworkOptions: ParsableArguments {
  @Flag(
    help: """
      Serve the page to the network too, where it plays the rack and does not edit. Without \
      --page-certificate everything is readable on that network.
      """)
  var pageLan = false

  @Flag(help: "With --page-lan: pages of the network may edit.")
  var pageEdit = false

  @Option(help: "The page's port; without it, any that is free.")
  var pagePort: Int?

  @Option(
    help: """
      Encrypt the page by a certificate: a file in PEM form, with those above it. Its names should be \
      those by which browsers reach this machine.
      """, completion: .file())
  var pageCertificate: String?

  @Option(
    help: "The certificate's key: a file in PEM form, without a passphrase.", completion: .file())
  var pageKey: String?

  var isGiven: Bool { pageLan || pagePort != nil || pageCertificate != nil }

  var options: PageProcess.Options {
    var options = PageProcess.Options()
    (options.servesNetwork, options.networkMayEdit) = (pageLan, pageEdit)
    options.port = pagePort ?? 0
    if let pageCertificate, let pageKey { options.certificate = (pageCertificate, pageKey) }
    return options
  }

  func validate() throws {
    guard (0...65_535).contains(pagePort ?? 0) else {
      throw ValidationError("--page-port takes 0 to 65535")
    }
    if pageEdit && !pageLan { throw ValidationError("--page-edit goes with --page-lan") }
    if (pageCertificate == nil) != (pageKey == nil) {
      throw ValidationError("--page-certificate and --page-key go together")
    }
  }
}

struct Page: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serve the page of a rack that plays, and print its link.",
    discussion: """
      Open the link in a browser: it shows the rack and changes it. The link works once, within five \
      minutes; the browser then stays known until it is revoked. “backline run” on a terminal serves a \
      page by itself.
      """)

  @OptionGroup var network: PageNetworkOptions
  @OptionGroup var rack: RackChoice

  func run() throws {
    let socket = ControlSocket.path(for: try rack.chosen())
    let command =
      try PageProcess.command(socket: socket, network.options)
      + ["--port", "\(network.options.port)"]
    // The page's program replaces this process, so that Ctrl-C ends it.
    var arguments = command.map { strdup($0) } + [nil]
    execv(command[0], &arguments)
    throw Failure("\(command[0]): \(String(cString: strerror(errno)))")
  }
}
