import AudioUnits
import BacklineTestSupport
import Testing
import UnitModel

/// A unit has more parameters than its kernel has room for commands.
@Suite struct ManyParametersTests {
  private static let count = 600

  /// The source of a unit that renders the sum of its parameters, each 0 to 1 and 0 by default.
  private static let code = """
    #include <stdlib.h>
    #include "backline/unit.h"
    typedef struct { float values[\(count)]; } many;
    static bl_unit *create(const bl_unit_descriptor *d) { return (bl_unit *)calloc(1, sizeof(many)); }
    static void destroy(bl_unit *u) { free(u); }
    static void set(bl_unit *u, bl_parameter_address a, float v) { ((many *)u)->values[a] = v; }
    static float get(const bl_unit *u, bl_parameter_address a) { return ((const many *)u)->values[a]; }
    static bl_status allocate(bl_unit *u, const bl_render_configuration *c) { return BL_OK; }
    static void nothing(bl_unit *u) {}
    static bl_status render(bl_unit *u, uint32_t flags, const bl_timestamp *time, uint32_t frames,
                            uint32_t bus, bl_buffers *output, const bl_event *events,
                            const bl_render_host *host) {
      for (const bl_event *e = events; e != NULL; e = e->next) {
        if (e->type == BL_EVENT_PARAMETER) set(u, e->parameter.address, e->parameter.value);
      }
      float sum = 0;
      for (int i = 0; i < \(count); i += 1) sum += get(u, i);
      for (uint32_t f = 0; f < frames; f += 1) output->channels[0][f] = sum;
      return BL_OK;
    }
    static const char *const tags[] = {"Test", NULL};
    static const bl_bus_info outputs[] = {{"output", 1, 0}};
    static const bl_parameter_info parameters[] = {
    \((0..<count).map {
        "{\"p\($0)\", NULL, \"P\", BL_UNIT_GENERIC, 0, 1, 0, BL_CURVE_LINEAR, "
          + "BL_PARAMETER_READABLE | BL_PARAMETER_WRITABLE, NULL, NULL, NULL, 0},"
      }.joined(separator: "\n"))
    };
    static const bl_unit_descriptor unit = {
        .abi_version = BL_ABI_VERSION, .size = sizeof(bl_unit_descriptor),
        .component = {BL_TYPE_GENERATOR, BL_FOUR_CHARACTER_CODE('m', 'a', 'n', 'y'),
                      BL_FOUR_CHARACTER_CODE('D', 'e', 'm', 'o')},
        .version = 0x00010000, .name = "Many", .manufacturer_name = "Demo", .summary = "Sums.",
        .tags = tags, .output_busses = outputs, .output_bus_count = 1, .parameters = parameters,
        .parameter_count = \(count), .create = create, .destroy = destroy, .set_parameter = set,
        .parameter_value = get, .allocate_render_resources = allocate,
        .deallocate_render_resources = nothing, .reset = nothing, .render = render};
    static const bl_unit_descriptor *const units[] = {&unit};
    static const bl_unit_library library = {BL_ABI_VERSION, 1, units};
    BL_EXPORT const bl_unit_library *backline_unit_library(void) { return &library; }
    """

  private func make(eventCapacity: Int) async throws -> (CatalogueRig, UnitRig) {
    let folder = try CatalogueRig()
    try folder.bundle(
      "Many",
      manifest: {
        $0.replacingOccurrences(of: "aufx", with: "augn")
          .replacingOccurrences(of: "tmpl", with: "many")
          .replacingOccurrences(of: "Template", with: "Many")
      }, code: { _ in Self.code })
    let rig = try await UnitRig("augn/many/Demo", in: folder.catalogue) {
      try $0.setEventCapacity(eventCapacity)
    }
    return (folder, rig)
  }

  private func ones(_ unit: AudioUnit) -> UnitState {
    var state = unit.fullState
    for keyPath in state.parameters.keys { state.parameters[keyPath] = 1 }
    return state
  }

  @Test(arguments: [64, 512], [1, 64])
  func aStateArrivesWholeInARingThatIsSmaller(room: Int, cycle: Int) async throws {
    var (folder, rig) = try await make(eventCapacity: room)
    defer { withExtendedLifetime(folder) {} }
    #expect(try rig.render(frames: 64)[0][63] == 0)
    try rig.unit.restore(ones(rig.unit))
    #expect(rig.unit.parameterValues.values.allSatisfy { $0 == 1 })
    let output = try rig.render(frames: 100 * cycle, cycles: [cycle])[0]
    #expect(output.last == Float(Self.count))
    #expect(rig.unit.parameterValues.values.allSatisfy { $0 == 1 })
    #expect(rig.unit.lostEventCount == 0)
  }

  @Test func whileNobodyRendersAStateIsTakenAgainAndAgain() async throws {
    var (folder, rig) = try await make(eventCapacity: 512)
    defer { withExtendedLifetime(folder) {} }
    let (zeros, ones) = (rig.unit.fullState, ones(rig.unit))
    for state in [ones, zeros, ones] { try rig.unit.restore(state) }
    #expect(rig.unit.fullState == ones)
    rig.unit.deallocateRenderResources()
    #expect(rig.unit.fullState == ones)
    try rig.unit.allocateRenderResources()
    #expect(try rig.render(frames: 64)[0] == Signals.constant(Float(Self.count), frames: 64))
  }

  @Test func nothingScheduledOvertakesWhatWaits() async throws {
    var (folder, rig) = try await make(eventCapacity: 64)
    defer { withExtendedLifetime(folder) {} }
    let unit = rig.unit
    try unit.restore(ones(unit))
    #expect(throws: AudioUnitError.self) { try unit.scheduleParameter(address: 599, value: 0) }
    #expect(throws: AudioUnitError.self) { try unit.scheduleMIDI(bytes: [0x90, 60, 1]) }
    _ = try rig.render(frames: 64 * 40, cycles: [64])
    try unit.scheduleParameter(address: 599, value: 0)
    #expect(try rig.render(frames: 64)[0].last == Float(Self.count - 1))
  }

  @Test func whatIsNoNumberChangesNothing() async throws {
    var (folder, rig) = try await make(eventCapacity: 512)
    defer { withExtendedLifetime(folder) {} }
    var state = ones(rig.unit)
    state.parameters["p500"] = .nan
    #expect(throws: AudioUnitError.self) { try rig.unit.restore(state) }
    #expect(rig.unit.parameterValues.values.allSatisfy { $0 == 0 })
    #expect(try rig.render(frames: 6400)[0].last == 0)
  }
}
