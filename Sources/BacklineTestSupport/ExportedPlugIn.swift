import CExport
import Foundation

/// A plug-in of an LV2 bundle, in a host without features, or with those of `LV2HostFeatures`.
package final class ExportedPlugIn {
  private let descriptor: LV2_Descriptor
  private let handle: LV2_Handle
  /// The symbol of every port, by its LV2 index.
  private let symbols: [String]
  private let controls: UnsafeMutablePointer<Float>
  private let inputs: [Int]
  private let outputs: [Int]

  /// The path of the plug-ins' library, linked in the same way as by `make build`.
  package static let library = Result {
    let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    let repository = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let process = Process()
    process.executableURL = repository.appending(path: "scripts/link-lv2")
    process.arguments = [programs.path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Missing() }
    return programs.appending(path: "libbackline-lv2.so").path
  }

  /// The plug-in could not be instantiated.
  package struct Refused: Error {}
  /// A part of the bundle, its library or the plug-in is missing.
  package struct Missing: Error {}

  private static func there<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
  }

  private typealias Entry = @convention(c) (UInt32) -> UnsafePointer<LV2_Descriptor>?

  /// - Parameter file: the name of the plug-in's Turtle file in the bundle.
  package init(
    _ uri: String, in bundle: String, file: String, hasFeatures: Bool = false,
    sampleRate: Double = 48_000
  ) throws {
    let library = try Self.there(dlopen("\(bundle)/backline.so", RTLD_NOW | RTLD_LOCAL))
    let symbol = try Self.there(dlsym(library, "lv2_descriptor"))
    let entry = unsafeBitCast(symbol, to: Entry.self)
    let all = (0..<1000).lazy.compactMap { entry(UInt32($0)) }
    let found = try Self.there(all.first { String(cString: $0.pointee.URI) == uri })
    descriptor = found.pointee
    let features = hasFeatures ? LV2HostFeatures.list() : nil
    guard let handle = descriptor.instantiate(found, sampleRate, bundle, features) else {
      throw Refused()
    }
    self.handle = handle
    let text = try String(contentsOfFile: "\(bundle)/\(file)", encoding: .utf8)
    let ports = text.split(separator: "a lv2:").dropFirst().filter { $0.contains("lv2:index") }
    symbols = ports.map { port in
      port.split(separator: "lv2:symbol \"")[1].split(separator: "\"").first.map(String.init) ?? ""
    }
    controls = .allocate(capacity: symbols.count)
    controls.initialize(repeating: 0, count: symbols.count)
    func indices(_ direction: String) -> [Int] {
      ports.indices.filter { ports[$0].hasPrefix("\(direction)Port, lv2:AudioPort") }
        .map { $0 - ports.startIndex }
    }
    (inputs, outputs) = (indices("Input"), indices("Output"))
    for (index, port) in ports.enumerated() where port.contains("ControlPort") {
      let initial = port.split(separator: "lv2:default ").dropFirst().first?
        .split(separator: " ").first
      controls[index] = initial.flatMap { Float($0) } ?? 0
      descriptor.connect_port(handle, UInt32(index), controls + index)
    }
  }

  package func activate() { descriptor.activate(handle) }

  private func extensionData<Interface>(_ uri: String, as _: Interface.Type) throws -> Interface {
    let data = try Self.there(descriptor.extension_data(uri))
    return data.assumingMemoryBound(to: Interface.self).pointee
  }

  /// Saves the state into `LV2HostFeatures.stored`.
  package func save() throws {
    let interface = try extensionData(
      "http://lv2plug.in/ns/ext/state#interface", as: LV2_State_Interface.self)
    _ = interface.save(
      handle,
      { _, key, value, size, type, _ in
        let text = value.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
        LV2HostFeatures.stored.withLock { $0[key] = (text, type) }
        return LV2_STATE_SUCCESS
      }, nil, 0, LV2HostFeatures.list())
  }

  /// Restores the state that is in `LV2HostFeatures.stored`.
  package func restore() throws {
    let interface = try extensionData(
      "http://lv2plug.in/ns/ext/state#interface", as: LV2_State_Interface.self)
    _ = interface.restore(
      handle,
      { _, key, size, type, flags in
        guard let entry = LV2HostFeatures.stored.withLock({ $0[key] }) else { return nil }
        size?.pointee = entry.text.utf8.count + 1
        type?.pointee = entry.type
        // Leak the copy, which the plug-in reads.
        return UnsafeRawPointer(strdup(entry.text))
      }, nil, 0, LV2HostFeatures.list())
  }

  /// Sends events to the port `symbol`, renders `frames` frames, and runs the worker.
  ///
  /// - Returns: the audio outputs, channels × frames, and the MIDI of the port `output`.
  package func run(
    _ frames: Int, _ events: [LV2HostFeatures.Event], at symbol: String, to output: String? = nil
  ) throws -> (sound: [[Float]], messages: [(frame: Int, bytes: [UInt8])]) {
    var sequence = LV2HostFeatures.sequence(events)
    var answer = [UInt64](repeating: 0, count: 4096)
    answer[0] = UInt64(8 * answer.count - 8)
    let port = try Self.there(symbols.firstIndex(of: symbol))
    let answerPort = try output.map { try Self.there(symbols.firstIndex(of: $0)) }
    let sound = sequence.withUnsafeMutableBytes { bytes in
      answer.withUnsafeMutableBytes { answer in
        descriptor.connect_port(handle, UInt32(port), bytes.baseAddress)
        if let answerPort {
          descriptor.connect_port(handle, UInt32(answerPort), answer.baseAddress)
        }
        defer {
          descriptor.connect_port(handle, UInt32(port), nil)
          if let answerPort { descriptor.connect_port(handle, UInt32(answerPort), nil) }
        }
        let silence = inputs.map { _ in [Float](repeating: 0, count: frames) }
        return render(silence, frames: frames, blocks: [frames])
      }
    }
    for bytes in LV2HostFeatures.work.withLock({ $0 }) {
      let worker = try extensionData(
        "http://lv2plug.in/ns/ext/worker#interface", as: LV2_Worker_Interface.self)
      _ = worker.work(handle, nil, nil, UInt32(bytes.count), bytes)
    }
    LV2HostFeatures.work.withLock { $0 = [] }
    return (sound, LV2HostFeatures.messages(in: answer))
  }

  deinit {
    descriptor.deactivate(handle)
    descriptor.cleanup(handle)
    controls.deallocate()
  }

  package subscript(symbol: String) -> Float {
    get { symbols.firstIndex(of: symbol).map { controls[$0] } ?? .nan }
    set { if let index = symbols.firstIndex(of: symbol) { controls[index] = newValue } }
  }

  /// Renders blocks of these lengths, repeated; channels × frames. Outputs share memory with
  /// inputs, the first output with the last input, so the plug-in must read all inputs before it
  /// writes.
  package func render(_ sound: [[Float]], frames: Int = 24_000, blocks: [Int]) -> [[Float]] {
    var result = Array(repeating: [Float](), count: outputs.count)
    let memory = (0..<max(inputs.count, outputs.count)).map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: (blocks.max() ?? 1) + 1)
    }
    defer { for pointer in memory { pointer.deallocate() } }
    for (channel, port) in inputs.enumerated() {
      descriptor.connect_port(handle, UInt32(port), memory[channel])
    }
    let ofOutputs = Array(memory.prefix(outputs.count).reversed())
    for (channel, port) in outputs.enumerated() {
      descriptor.connect_port(handle, UInt32(port), ofOutputs[channel])
    }
    var (start, turn) = (0, 0)
    while start < frames {
      let count = min(blocks[turn % blocks.count], frames - start)
      for channel in inputs.indices {
        for frame in 0..<count { memory[channel][frame] = sound[channel][start + frame] }
      }
      descriptor.run(handle, UInt32(count))
      for channel in outputs.indices {
        result[channel] += UnsafeBufferPointer(start: ofOutputs[channel], count: count)
      }
      (start, turn) = (start + count, turn + 1)
    }
    return result
  }
}
