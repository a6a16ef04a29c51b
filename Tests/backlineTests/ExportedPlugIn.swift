import CExport
import Foundation
import Testing

/// A plug-in of an LV2 bundle, run as a host without any feature would.
final class ExportedPlugIn {
  private let descriptor: LV2_Descriptor
  private let handle: LV2_Handle
  /// Of every port, by its LV2 index.
  private let symbols: [String]
  private let controls: UnsafeMutablePointer<Float>
  private let inputs: [Int]
  private let outputs: [Int]

  private typealias Entry = @convention(c) (UInt32) -> UnsafePointer<LV2_Descriptor>?

  /// - Parameter file: the description of the plug-in, in its bundle.
  init(_ uri: String, in bundle: String, file: String, sampleRate: Double = 48_000) throws {
    let library = try #require(dlopen("\(bundle)/backline.so", RTLD_NOW | RTLD_LOCAL))
    let symbol = try #require(dlsym(library, "lv2_descriptor"))
    let entry = unsafeBitCast(symbol, to: Entry.self)
    let all = (0..<100).lazy.compactMap { entry(UInt32($0)) }
    let found = try #require(all.first { String(cString: $0.pointee.URI) == uri })
    descriptor = found.pointee
    handle = try #require(descriptor.instantiate(found, sampleRate, bundle, nil))
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
    descriptor.activate(handle)
  }

  deinit {
    descriptor.deactivate(handle)
    descriptor.cleanup(handle)
    controls.deallocate()
  }

  subscript(symbol: String) -> Float {
    get { symbols.firstIndex(of: symbol).map { controls[$0] } ?? .nan }
    set { if let index = symbols.firstIndex(of: symbol) { controls[index] = newValue } }
  }

  /// Renders blocks of these lengths, again and again; each output in the memory of an input.
  func render(_ sound: [[Float]], blocks: [Int]) -> [[Float]] {
    let frames = sound[0].count
    var result = Array(repeating: [Float](), count: outputs.count)
    let memory = (0..<max(inputs.count, outputs.count)).map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: (blocks.max() ?? 1) + 1)
    }
    defer { for pointer in memory { pointer.deallocate() } }
    for (place, index) in inputs.enumerated() {
      descriptor.connect_port(handle, UInt32(index), memory[place])
    }
    for (place, index) in outputs.enumerated() {
      descriptor.connect_port(handle, UInt32(index), memory[place])
    }
    var (start, turn) = (0, 0)
    while start < frames {
      let count = min(blocks[turn % blocks.count], frames - start)
      for place in inputs.indices {
        for frame in 0..<count { memory[place][frame] = sound[place][start + frame] }
      }
      descriptor.run(handle, UInt32(count))
      for place in outputs.indices {
        result[place] += UnsafeBufferPointer(start: memory[place], count: count)
      }
      (start, turn) = (start + count, turn + 1)
    }
    return result
  }
}
