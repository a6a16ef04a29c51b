/* High-Pass Filter: takes away what lies below the cutoff, 12 dB per octave. */
#include "built_in.h"
#include "filter.h"

static const bl_parameter_info parameters[] = FILTER_PARAMETERS(200);

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    return bl_effect_render(unit, flags, timestamp, frames, bus, output, events, host, filter_apply,
                            filter_process_high_pass);
}

static const char *const tags[] = {"Filter", NULL};
static const bl_bus_info input_busses[] = {{"input", 2, 0}};
static const bl_bus_info output_busses[] = {{"output", 2, 0}};

const bl_unit_descriptor bl_high_pass = {
    .abi_version = BL_ABI_VERSION,
    .component = {BL_TYPE_EFFECT, BL_FOUR_CHARACTER_CODE('h', 'p', 'a', 's'), BL_MANUFACTURER},
    .version = 0x00010000,
    .name = "High-Pass Filter",
    .manufacturer_name = BL_MANUFACTURER_NAME,
    .summary =
        "Takes away what lies below the cutoff, 12 dB per octave; resonance lifts what lies at it",
    .tags = tags,
    .flags = BL_UNIT_CAN_PROCESS_IN_PLACE,
    .input_busses = input_busses,
    .input_bus_count = 1,
    .output_busses = output_busses,
    .output_bus_count = 1,
    .parameters = parameters,
    .parameter_count = FILTER_PARAMETER_COUNT,
    .create = filter_create,
    .destroy = bl_unit_base_destroy,
    .set_parameter = filter_set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .allocate_render_resources = filter_allocate,
    .deallocate_render_resources = bl_unit_base_deallocate,
    .reset = filter_reset,
    .render = render,
    .tail_time = filter_tail_time,
};
