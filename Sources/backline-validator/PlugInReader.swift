import AudioUnits
import CBridge
import Documents
import Glibc
import UnitModel

/// Reads plug-ins of other formats, and says what it is about to read before it does.
struct PlugInReader {
  private let bridge: OpaquePointer
  private let skipped: Set<String>
  private let output: Int32

  /// Nil where memory is short.
  init?(skipping skipped: [String], output: Int32) {
    guard let bridge = bl_bridge_create() else { return nil }
    (self.bridge, self.skipped, self.output) = (bridge, Set(skipped), output)
  }

  /// Describes the plug-ins of these names, all where there are none.
  func run(_ names: [String]) {
    if names.isEmpty { scan() }
    let all =
      names.isEmpty
      ? (0..<bl_bridge_count(bridge)).map { String(cString: bl_bridge_identifier(bridge, $0)) }
      : names
    for name in all where !skipped.contains(name) {
      send(.reading(name))
      send(.read(record(of: name)))
    }
  }

  private func scan() {
    withUnsafePointer(to: self) { pointer in
      bl_bridge_scan(
        bridge,
        { context, path in
          guard let path, let reader = context?.assumingMemoryBound(to: PlugInReader.self) else {
            return false
          }
          let name = String(cString: path)
          reader.pointee.send(.reading(name))
          return !reader.pointee.skipped.contains(name)
        }, UnsafeMutableRawPointer(mutating: pointer))
    }
  }

  private func record(of name: String) -> PlugInRecord {
    var message = [CChar](repeating: 0, count: 512)
    guard let descriptor = bl_bridge_describe(bridge, name, &message, message.count) else {
      return PlugInRecord(name: name, problem: String(message))
    }
    var facts = UnitFacts(descriptor.pointee)
    facts.component.plugIn = name
    let bundle = String(cString: bl_bridge_facts_of(descriptor).bundle)
    return PlugInRecord(name: name, facts: facts, bundle: bundle)
  }

  private func send(_ line: PlugInRecord.Line) { _ = WholeFile.append(line.bytes, to: output) }
}

extension PlugInReader {
  /// The descriptor of one plug-in, opened, to be validated.
  ///
  /// - Throws: `Refusal` with the reason.
  static func descriptor(of name: String) throws(Refusal) -> UnsafePointer<bl_unit_descriptor> {
    var message = [CChar](repeating: 0, count: 512)
    guard let bridge = bl_bridge_create(),
      let descriptor = bl_bridge_describe(bridge, name, &message, message.count),
      bl_bridge_open(descriptor, &message, message.count)
    else { throw Refusal(String(message)) }
    return descriptor
  }
}
