import BacklineTestSupport
import CBridge
import CUnit
import Testing

/// Plug-ins of other formats run as units in this process.
@Suite(.serialized) struct BridgeTests {
  private static nonisolated(unsafe) let bridge = {
    let bridge = bl_bridge_create()!
    for folder in ["/usr/lib/ladspa", "/usr/lib/lv2/eg-amp.lv2/"] {
      bl_bridge_look_in(bridge, folder)
    }
    return bridge
  }()

  private func describe(_ identifier: String) -> (UnsafePointer<bl_unit_descriptor>?, String) {
    var message = [CChar](repeating: 0, count: 512)
    let descriptor = bl_bridge_describe(Self.bridge, identifier, &message, message.count)
    return (descriptor, String(decoding: message.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
  }

  @Test(arguments: [
    ("lv2:http://lv2plug.in/plugins/eg-amp", true), ("ladspa:amp/amp_mono", true),
    ("aufx/gain/bkln", false), ("", false),
  ]) func identifiersAreKnownByTheirForm(text: String, isOne: Bool) {
    #expect(bl_bridge_is_identifier(text) == isOne)
  }

  @Test func whatIsNotThereIsSaid() {
    for name in ["lv2:urn:nobody", "ladspa:amp/nothing", "ladspa:nowhere/amp"] {
      let (descriptor, message) = describe(name)
      #expect(descriptor == nil && !message.isEmpty && !message.contains("\n"), "\(name)")
    }
  }

  /// The LADSPA amplifier's gain is a factor; the LV2 amplifier's is in decibels.
  @Test(arguments: [
    ("ladspa:amp/amp_mono", Float(0.25)), ("lv2:http://lv2plug.in/plugins/eg-amp", -12.0412),
  ]) func anAmplifierPlays(name: String, gain: Float) throws {
    let descriptor = try #require(describe(name).0)
    #expect(descriptor == describe(name).0)
    var message = [CChar](repeating: 0, count: 512)
    #expect(bl_bridge_open(descriptor, &message, message.count))
    let host = try UnitHost(descriptor, inputChannels: [1], outputChannels: [1])
    host.set(String(cString: descriptor.pointee.parameters[0].identifier), gain)
    let heard = host.render(inputs: [[Signals.constant(1, frames: 4800)]], frames: 4800)[0]
    #expect(abs(heard[4799] - 0.25) < 1e-4)
  }
}
