import ArgumentParser
import Dispatch
import Documents
import Glibc
import NIOCore
import NIOPosix
import QRCode

/// The program that serves the page of one rack to browsers, as a peer of the rack's control socket.
///
/// The program is a process of its own, so that a crash does not end the music.
@main
struct PageProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backline-page",
    abstract:
      "Serves a rack's page, for backline run and backline page, which are what people call.")

  @Option(help: "The rack's control socket.")
  var socket: String

  @Option(help: "The folder with the page's files.")
  var files: String

  @Option(help: "The port; 0 for any that is free.")
  var port = 0

  @Flag(help: "Serve the network too, where pages play but do not edit.")
  var lan = false

  @Flag(help: "With --lan: pages of the network may edit.")
  var edit = false

  @Option(help: "The certificate to encrypt the page by: a file in PEM form.")
  var certificate: String?

  @Option(help: "The certificate's key: a file in PEM form, without a passphrase.")
  var key: String?

  @Flag(help: "End when standard input ends; say on standard output why the page cannot be served.")
  var attached = false

  func run() throws {
    do { try serve() } catch {
      guard attached else { throw error }
      print("error: \(error)")
      fflush(nil)
      throw ExitCode.failure
    }
  }

  private func serve() throws {
    // SIGTERM and SIGINT must end this program, but its parent process may have blocked them.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    // A lower priority than everything that plays.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
    let files = try PageFiles(folder: files)
    let keys = PageKeys(file: "\(UserFolders.data)/page-devices.json")
    var pageCertificate: PageCertificate?
    if let certificate, let key {
      pageCertificate = try PageCertificate(certificate: certificate, key: key)
    }
    let listener = try PageListener(isLocal: !lan, port: port)
    let addresses = PageAddresses(
      port: listener.port, servesNetwork: lan, certificate: pageCertificate)
    let server = PageServer(socket: socket, files: files, keys: keys, addresses: addresses)
    // The confinement must precede other threads.
    try Folder.make(UserFolders.data)
    PageListener.confine(writing: UserFolders.data)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let channel = try server.listen(on: group, at: listener.descriptor).wait()
    let devices = FolderWatcher([UserFolders.data])
    Task {
      var known = keys.devices.map(\.id)
      for await _ in devices.changes where keys.devices.map(\.id) != known {
        known = keys.devices.map(\.id)
        server.compareDevices()
      }
    }
    printLinks(addresses, keys)
    if attached {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) > 0 {}
    } else {
      try channel.closeFuture.wait()
    }
  }

  /// Prints the links: the first for this machine, the others for the network.
  private func printLinks(_ addresses: PageAddresses, _ keys: PageKeys) {
    print(addresses.link(to: addresses.local, key: keys.issue(.edit)))
    for host in addresses.network {
      let link = addresses.link(to: host, key: keys.issue(edit ? .edit : .stage))
      print(link)
      guard isatty(STDOUT_FILENO) == 1, let code = QRCode(link) else { continue }
      print(code.terminalLines.joined(separator: "\n"))
    }
    fflush(nil)
  }
}
