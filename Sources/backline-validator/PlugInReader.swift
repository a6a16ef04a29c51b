import AudioUnits
import CBridge
import Documents
import Glibc
import UnitModel
import UnitValidation

/// Reads plug-ins of other formats, announcing each before it is read.
struct PlugInReader {
  private let bridge: OpaquePointer
  private let skipped: Set<String>
  private let output: Int32

  /// Creates a reader; nil if memory is short.
  init?(skipping skipped: [String], output: Int32) {
    guard let bridge = bl_bridge_create() else { return nil }
    (self.bridge, self.skipped, self.output) = (bridge, Set(skipped), output)
  }

  /// Describes the plug-ins of these names, all if there are none.
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

  /// Renders with each plug-in as a host would; its record contains the problem, if any.
  func tryOut(_ names: [String], in folder: String?) {
    if let folder { bl_bridge_look_in(bridge, folder) }
    for name in names {
      send(.reading(name))
      send(.read(PlugInRecord(name: name, problem: fault(of: name))))
    }
  }

  private func fault(of name: String) -> String? {
    do {
      let subject = Subject(try descriptor(of: name), isPlugIn: true)
      for check in ["opening", "reallocation", "silence", "full-scale"].compactMap(Check.named) {
        if case .failure(let reason) = check.run(on: subject) { return reason }
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func scan() {
    withUnsafePointer(to: self) { pointer in
      var visitor = bl_bridge_visitor(
        context: UnsafeMutableRawPointer(mutating: pointer),
        visit: { context, path in
          let (reader, name) = PlugInReader.called(with: context, path)
          reader.send(.reading(name))
          return !reader.skipped.contains(name)
        },
        refuse: { context, path, reason in
          let (reader, name) = PlugInReader.called(with: context, path)
          let problem = reason.map { String(cString: $0) }
          reader.send(.read(PlugInRecord(name: name, problem: problem)))
        })
      bl_bridge_scan(bridge, &visitor)
    }
  }

  private static func called(
    with context: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?
  ) -> (reader: PlugInReader, name: String) {
    guard let reader = context?.assumingMemoryBound(to: PlugInReader.self), let path else {
      fatalError("the bridge calls back without what it was given")
    }
    return (reader.pointee, String(cString: path))
  }

  private func record(of name: String) -> PlugInRecord {
    var message = [CChar](repeating: 0, count: 512)
    guard let descriptor = bl_bridge_describe(bridge, name, &message, message.count) else {
      return PlugInRecord(name: name, problem: String(message))
    }
    var facts = UnitFacts(descriptor.pointee)
    facts.component.plugIn = name
    for index in facts.factoryPresets.indices {
      guard let state = bl_bridge_preset_state(descriptor, UInt32(index)) else { continue }
      facts.factoryPresets[index].properties["state"] = String(cString: state)
    }
    let places = bl_bridge_facts_of(descriptor)
    return PlugInRecord(
      name: name, facts: facts,
      folder: String(cString: places.bundle),
      library: String(cString: places.library))
  }

  private func send(_ line: PlugInRecord.Line) { _ = WholeFile.append(line.bytes, to: output) }

  /// Returns the descriptor of one plug-in, opened for rendering.
  ///
  /// - Throws: `Refusal` with the reason.
  func descriptor(of name: String) throws(Refusal) -> UnsafePointer<bl_unit_descriptor> {
    var message = [CChar](repeating: 0, count: 512)
    guard let descriptor = bl_bridge_describe(bridge, name, &message, message.count),
      bl_bridge_open(descriptor, &message, message.count)
    else { throw Refusal(String(message)) }
    return descriptor
  }
}
