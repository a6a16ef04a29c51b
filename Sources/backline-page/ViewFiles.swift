import AsyncSupport
import Documents
import FoundationEssentials
import NIOCore

/// The files of units' views, under `/v/SECRET/aufx-eqpm-bkln/`. The views of built-in units are among the page's
/// files, those of other units in their bundles. Shared files are served in each view's folder.
final class ViewFiles: Sendable {
  /// The part of the path that only connected pages know.
  let secret = PageKeys.random()
  private let files: PageFiles
  private let socket: String
  /// The paths of bundles' views by unit: `aufx-ring-Demo`.
  private let views = Guarded<[String: String]>([:])

  private struct Answer: Decodable {
    struct Unit: Decodable {
      var unit: String
      var view: String?
    }
    struct Listing: Decodable { var units: [Unit] }
    var result: Listing?
  }

  init(_ files: PageFiles, socket: String) { (self.files, self.socket) = (files, socket) }

  /// Returns the unit and the file name of a path; nil for other paths.
  func parts(of path: String) -> (unit: String, name: String)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[1] == "v", parts[2] == secret else { return nil }
    return (parts[3], parts[4])
  }

  /// Returns a file; nil if there is none. Requests the views of the rack's units if the unit is unknown.
  func file(
    _ unit: String, _ name: String, on loop: any EventLoop
  ) -> EventLoopFuture<PageFiles.File?> {
    // Files that views share with each other or with the page.
    let shared = name.hasPrefix("backline.") ? files["/views/\(name)"] ?? files["/\(name)"] : nil
    if let own = shared ?? files["/views/\(unit)/\(name)"] { return loop.makeSucceededFuture(own) }
    if let view = views.withLock({ $0[unit] }) {
      return loop.makeSucceededFuture(Self.read(name, of: view))
    }
    return learn(on: loop).map {
      self.views.withLock { $0[unit] }.flatMap { Self.read(name, of: $0) }
    }
  }

  /// Reads a file of a bundle's view. `index.html` is the view's file, whatever its name; other files must be in the
  /// same folder.
  private static func read(_ name: String, of view: String) -> PageFiles.File? {
    guard let index = FilePath.resolve(view) else { return nil }
    let folder = FilePath.folder(of: index)
    let path = name == "index.html" ? index : "\(folder)/\(name)"
    guard let type = PageFiles.type(of: path), FilePath.resolve(path) == path,
      let bytes = try? WholeFile.read(path, limit: PageFiles.maximumBytes)
    else { return nil }
    return PageFiles.File(contents: ByteBuffer(bytes: bytes), type: type)
  }

  /// Requests the rack's units and records their views.
  private func learn(on loop: any EventLoop) -> EventLoopFuture<Void> {
    let done = loop.makePromise(of: Void.self)
    let isOver = NIOLoopBoundBox(false, eventLoop: loop)
    let finish = {
      if !isOver.value { done.succeed() }
      isOver.value = true
    }
    let lane = ControlLane.open(
      socket, for: .stage, on: loop,
      receive: { line in
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(line.readableBytesView))
        guard let units = answer?.result?.units else { return }
        self.views.withLock { views in
          for unit in units {
            views[String(unit.unit.map { $0 == "/" ? "-" : $0 })] = unit.view
          }
        }
        finish()
      }, end: finish)
    lane.assumeIsolated().whenComplete { result in
      guard case .success(let channel) = result else { return finish() }
      channel.writeAndFlush(ByteBuffer(string: #"{"command":"list"}"# + "\n"), promise: nil)
      let timeout = loop.scheduleTask(in: .seconds(5)) { channel.close(promise: nil) }
      done.futureResult.whenComplete { _ in
        timeout.cancel()
        channel.close(promise: nil)
      }
    }
    return done.futureResult
  }
}
