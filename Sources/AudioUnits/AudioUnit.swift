import CUnit
import UnitModel

/// Why a unit could not be made or would not take a setting.
public struct AudioUnitError: Error, CustomStringConvertible {
  public var unit: String
  public var reason: String
  public var description: String { "\(unit): \(reason)" }
}

/// One instance of a unit.
///
/// Not Sendable: whoever made it calls it, and nobody while a kernel renders it, except where a
/// method says otherwise.
public final class AudioUnit {
  public let facts: UnitFacts
  /// What a host renders.
  public let instance: OpaquePointer
  public private(set) var areRenderResourcesAllocated = false

  private let unitDescriptor: UnitDescriptor
  public var descriptor: UnsafePointer<bl_unit_descriptor> { unitDescriptor.pointer }

  /// A new instance with every parameter at its default.
  public init(_ component: Component) throws(AudioUnitError) {
    facts = component.facts
    do {
      unitDescriptor = try component.descriptor()
    } catch {
      throw AudioUnitError(unit: component.name, reason: error.description)
    }
    let descriptor = unitDescriptor.pointer
    guard let instance = descriptor.pointee.create(descriptor) else {
      throw AudioUnitError(unit: component.facts.name, reason: "memory is short")
    }
    self.instance = instance
  }

  /// Does it run the code that the component has now?
  public func isInstance(of component: Component) -> Bool {
    (try? component.descriptor())?.pointer == unitDescriptor.pointer
  }

  deinit {
    if areRenderResourcesAllocated { descriptor.pointee.deallocate_render_resources(instance) }
    descriptor.pointee.destroy(instance)
  }

  /// Gives the property at a place in the table its value; may be called while the unit is rendered.
  ///
  /// On an error the value before stays.
  public func setProperty(_ index: Int, to value: String) throws(AudioUnitError) {
    guard facts.properties.indices.contains(index), let set = descriptor.pointee.set_property else {
      throw AudioUnitError(unit: facts.name, reason: "it has no property \(index)")
    }
    var message = [CChar](repeating: 0, count: 1024)
    guard set(instance, UInt32(index), value, &message, message.count) == BL_OK else {
      let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw AudioUnitError(unit: facts.name, reason: String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Sets a parameter at once, to the nearest value that it can have; not while the unit is rendered.
  public func setParameter(_ address: UInt64, to value: Float) {
    guard let info = facts.parameter(at: address)?.info else { return }
    descriptor.pointee.set_parameter(instance, address, info.nearest(to: value))
  }

  /// Gets ready to render cycles of up to `maximumFrames` frames at `sampleRate` Hz, with so many
  /// channels on each bus.
  public func allocateRenderResources(
    sampleRate: Double, maximumFrames: Int, inputChannelCounts: [Int], outputChannelCounts: [Int]
  ) throws(AudioUnitError) {
    precondition(!areRenderResourcesAllocated, "\(facts.name) has its render resources")
    let status = Self.withConfiguration(
      sampleRate: sampleRate, maximumFrames: maximumFrames, inputChannelCounts: inputChannelCounts,
      outputChannelCounts: outputChannelCounts
    ) { descriptor.pointee.allocate_render_resources(instance, $0) }
    switch Int(status) {
    case Int(BL_OK): areRenderResourcesAllocated = true
    case Int(BL_ERROR_FORMAT_NOT_SUPPORTED):
      throw AudioUnitError(
        unit: facts.name,
        reason: "does not take \(inputChannelCounts) channels in and \(outputChannelCounts) out at"
          + " \(sampleRate) Hz")
    case Int(BL_ERROR_OUT_OF_MEMORY):
      throw AudioUnitError(unit: facts.name, reason: "memory is short")
    default: throw AudioUnitError(unit: facts.name, reason: "cannot render (status \(status))")
    }
  }

  /// The C form of a configuration, for as long as `body` runs.
  public static func withConfiguration<Result>(
    sampleRate: Double, maximumFrames: Int, inputChannelCounts: [Int], outputChannelCounts: [Int],
    _ body: (UnsafePointer<bl_render_configuration>) -> Result
  ) -> Result {
    let inputs = inputChannelCounts.map { UInt32($0) }
    let outputs = outputChannelCounts.map { UInt32($0) }
    return inputs.withUnsafeBufferPointer { inputs in
      outputs.withUnsafeBufferPointer { outputs in
        var configuration = bl_render_configuration(
          sample_rate: sampleRate, maximum_frames: UInt32(maximumFrames),
          input_bus_count: UInt32(inputs.count), output_bus_count: UInt32(outputs.count),
          input_channel_counts: inputs.baseAddress, output_channel_counts: outputs.baseAddress)
        return body(&configuration)
      }
    }
  }

  /// Blocks until the next `frames` frames can be rendered; between cycles.
  public func waitUntilReady(frames: Int) {
    descriptor.pointee.wait_until_ready?(instance, UInt32(frames))
  }

  /// Can `waitUntilReady` ever wait?
  public var mayHaveToWait: Bool { descriptor.pointee.wait_until_ready != nil }

  /// Frames by which the output lags the input.
  public var latency: Int { Int(descriptor.pointee.latency?(instance) ?? 0) }

  /// Seconds for which sound goes on after the input ends; infinite where it never does.
  public var tailTime: Double { descriptor.pointee.tail_time?(instance) ?? 0 }
}
