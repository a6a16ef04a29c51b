import AsyncSupport
import Documents
import FoundationEssentials
import NIOCore

/// The files of units' own views, under `/v/SECRET/aufx-eqpm-bkln/`: those of the built-in units are the
/// page's, those of others are in their bundles. What all views share is in each view's folder.
final class ViewFiles: Sendable {
  /// The part of the address that only pages with a key know.
  let secret = PageKeys.random()
  private let files: PageFiles
  private let socket: String
  /// The views of bundles by their units: `aufx-ring-Demo`.
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

  /// The unit and the name that a path asks for; nil for other paths.
  func parts(of path: String) -> (unit: String, name: String)? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, parts[1] == "v", parts[2] == secret else { return nil }
    return (parts[3], parts[4])
  }

  /// A file; nil where there is none. Asks the rack for the view of a unit that is not known yet.
  func file(
    _ unit: String, _ name: String, on loop: any EventLoop
  ) -> EventLoopFuture<PageFiles.File?> {
    // What views share among themselves, or with the page.
    let shared = name.hasPrefix("backline.") ? files["/views/\(name)"] ?? files["/\(name)"] : nil
    if let own = shared ?? files["/views/\(unit)/\(name)"] { return loop.makeSucceededFuture(own) }
    if let view = views.withLock({ $0[unit] }) {
      return loop.makeSucceededFuture(Self.read(name, of: view))
    }
    return learn(on: loop).map {
      self.views.withLock { $0[unit] }.flatMap { Self.read(name, of: $0) }
    }
  }

  /// `index.html` is the view's file, whatever its name; others lie beside it, and not elsewhere.
  private static func read(_ name: String, of view: String) -> PageFiles.File? {
    guard let place = FilePlace.resolve(view) else { return nil }
    let folder = FilePlace.split(place).folder
    let path = name == "index.html" ? place : "\(folder)/\(name)"
    guard let type = PageFiles.type(of: path), FilePlace.resolve(path) == path,
      let bytes = try? WholeFile.read(path, limit: PageFiles.mostBytes)
    else { return nil }
    return PageFiles.File(contents: ByteBuffer(bytes: bytes), type: type)
  }

  /// Asks which units the rack has.
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
