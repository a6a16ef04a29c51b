import AudioUnits
import BacklineTestSupport
import CKernel
import CUnit
import Observation
import Synchronization
import Testing
import UnitModel

/// A unit in a bundle sees its host's music and transport; a host sees the unit's latency and
/// properties.
@Suite struct AudioUnitHostTests {
  private static let call =
    "process(self, input.channels, output->channels, segment.first_frame, segment.frame_count);"
  private static let name = "aufx/tmpl/Demo"

  /// Builds the template's effect with two C expressions as its left and right output.
  private func witness(_ left: String, _ right: String) throws -> CatalogueRig {
    let rig = try CatalogueRig()
    try rig.bundle(code: {
      $0.replacingOccurrences(
        of: Self.call,
        with: """
          for (uint32_t frame = 0; frame < segment.frame_count; frame += 1) {
              output->channels[0][segment.first_frame + frame] = (float)(\(left));
              output->channels[1][segment.first_frame + frame] = (float)(\(right));
          }
          """)
    })
    return rig
  }

  @Test func aUnitSeesWhereTheMusicStands() async throws {
    let bundles = try witness(
      "host->musical_context ? host->musical_context->tempo : -1",
      "host->transport_state ? host->transport_state->sample_position : -1"
    )
    let music = UnsafeMutablePointer<bl_musical_context>.allocate(capacity: 1)
    let transport = UnsafeMutablePointer<bl_transport_state>.allocate(capacity: 1)
    defer {
      music.deallocate()
      transport.deallocate()
    }
    music.initialize(to: bl_musical_context())
    transport.initialize(to: bl_transport_state())
    music.pointee.tempo = 97
    transport.pointee.sample_position = 4096
    var rig = try await UnitRig(Self.name, in: bundles.catalogue) { unit in
      try unit.setMusicalContextBlock(
        { context, answer in
          guard let context, let answer else { return false }
          answer.pointee = context.assumingMemoryBound(to: bl_musical_context.self).pointee
          return answer.pointee.tempo > 0
        }, context: music)
      try unit.setTransportStateBlock(
        { context, answer in
          guard let context, let answer else { return false }
          answer.pointee = context.assumingMemoryBound(to: bl_transport_state.self).pointee
          return true
        }, context: transport)
    }
    var output = try rig.render(frames: 64)
    #expect(output[0].allSatisfy { $0 == 97 } && output[1].allSatisfy { $0 == 4096 })
    // The host no longer knows the tempo.
    music.pointee.tempo = 0
    output = try rig.render(frames: 64)
    #expect(output[0].allSatisfy { $0 == -1 })

    var alone = try await UnitRig(Self.name, in: bundles.catalogue)
    output = try alone.render(frames: 64)
    #expect(output[0].allSatisfy { $0 == -1 } && output[1].allSatisfy { $0 == -1 })
  }

  @Test func aUnitSeesWhetherItIsRenderedOffline() async throws {
    let isOffline = "(flags & BL_RENDER_OFFLINE) != 0"
    let bundles = try witness(isOffline, isOffline)
    var rig = try await UnitRig(Self.name, in: bundles.catalogue)
    #expect(try rig.render(frames: 64)[0].allSatisfy { $0 == 0 })
    rig.unit.isRenderingOffline = true
    #expect(try rig.render(frames: 64)[0].allSatisfy { $0 == 1 })
  }

  @Test func aLatencyThatChangesIsTold() async throws {
    let bundles = try CatalogueRig()
    try bundles.bundle(code: {
      $0.replacingOccurrences(
        of: "static const bl_parameter_info",
        with: """
          static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
              return (uint32_t)parameter_value(unit, 0);
          }
          static const bl_parameter_info
          """
      ).replacingOccurrences(of: "NULL, /* latency */", with: "latency,")
    })
    var rig = try await UnitRig(Self.name, in: bundles.catalogue)
    #expect(rig.unit.latency == 100)
    let isTold = Atomic(false)
    withObservationTracking {
      _ = rig.unit.latency
    } onChange: {
      isTold.store(true, ordering: .relaxed)
    }
    try rig.unit.scheduleParameter(address: 0, value: 150)
    _ = try rig.render(frames: 512)
    let wasTold = isTold.load(ordering: .relaxed)
    #expect(wasTold && rig.unit.latency == 150)
  }

  @Test func aResetForgetsTheSoundAndKeepsTheParameters() async throws {
    for isReset in [false, true] {
      var rig = try await UnitRig("aufx/dely/bkln") { unit in
        for (keyPath, value) in [("time", Float(0.1)), ("mix", 100)] {
          let found = try #require(unit.facts.parameter(atKeyPath: keyPath))
          try unit.setParameter(found.address, to: value)
        }
      }
      let before = rig.unit.parameterValues
      let noise = Signals.noise(frames: 480, seed: 1)
      _ = try rig.render([[noise, noise]], frames: 480)
      if isReset { rig.unit.reset() }
      let isSilent = try rig.render(frames: 9600)[0].allSatisfy { $0 == 0 }
      #expect(isSilent == isReset)
      #expect(rig.unit.parameterValues == before)
    }
  }

  @Test func whatABundleDeclaresIsSaid() async throws {
    let rig = try CatalogueRig()
    try rig.bundle(
      manifest: { $0 + "\nview: unit.yaml" },
      code: {
        $0.replacingOccurrences(
          of: "BL_UNIT_CAN_PROCESS_IN_PLACE,",
          with: "BL_UNIT_MIDI_INPUT | BL_UNIT_MIDI_OUTPUT | BL_UNIT_SUPPORTS_MPE,"
        ).replacingOccurrences(
          of: "0,\n    NULL, /* cables", with: "3,\n    midi_outputs, /* cables"
        ).replacingOccurrences(
          of: "static const bl_bus_info inputs",
          with: "static const char *const midi_outputs[] = {\"Keys\", \"Lights\", NULL};\n"
            + "static const bl_bus_info inputs")
      })
    let unit = try await UnitRig(Self.name, in: rig.catalogue).unit
    #expect(unit.providesUserInterface && unit.supportsMPE && !unit.canProcessInPlace)
    #expect(unit.virtualMIDICableCount == 3 && unit.midiOutputNames == ["Keys", "Lights"])
    let component = unit.component
    #expect(component.hasMIDIInput && component.hasMIDIOutput && component.hasCustomView)
    #expect(component.bundle?.path.hasSuffix("/Template.unit") == true)
    #expect("\(component.component.type)" == "aufx")
  }
}
