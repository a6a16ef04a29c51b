import Foundation

/// A private PipeWire server without a session manager or D-Bus, with a stereo sink `speakers`,
/// whose monitors are the capture ports.
package final class PipeWireServer {
  /// The environment variable and command that start a program as a client of this server.
  package let wrapper: [String]
  private let folder: TemporaryFolder
  private var process: Process?
  private var deathGuard: DeathGuard?

  package static var isInstalled: Bool {
    ["/usr/bin/pipewire", "/usr/bin/pw-jack"].allSatisfy(FileManager.default.isExecutableFile)
  }

  private static let configuration = """
    context.objects = [
      { factory = metadata, args = { metadata.name = default } }
      { factory = adapter
        args = {
          factory.name = support.null-audio-sink
          node.name = speakers
          media.class = Audio/Sink
          audio.position = [ FL FR ]
          adapter.auto-port-config = { mode = dsp, monitor = true, position = preserve }
        }
      }
    ]
    """

  package init() throws {
    folder = try TemporaryFolder()
    wrapper = ["PIPEWIRE_RUNTIME_DIR=\(folder.url.path)", "pw-jack"]
    let subfolder = "pipewire/pipewire.conf.d"
    try FileManager.default.createDirectory(
      atPath: folder.path(subfolder), withIntermediateDirectories: true)
    _ = try folder.write("\(subfolder)/speakers.conf", bytes: Array(Self.configuration.utf8))
    try start()
  }

  /// Starts the server and waits until it accepts clients.
  package func start() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/pipewire")
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PIPEWIRE_RUNTIME_DIR": folder.url.path, "XDG_CONFIG_HOME": folder.url.path]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    deathGuard = try DeathGuard(of: process, name: "pipewire")
    while process.isRunning && !FileManager.default.fileExists(atPath: folder.path("pipewire-0")) {
      usleep(10_000)
    }
  }

  /// Terminates the server with SIGTERM, as a logout does, and removes its socket.
  package func stop() {
    if process?.isRunning == true { process?.terminate() }
    process?.waitForEnd(within: 20)
    deathGuard?.dismiss()
    (process, deathGuard) = (nil, nil)
    try? FileManager.default.removeItem(atPath: folder.path("pipewire-0"))
  }

  deinit { stop() }
}
