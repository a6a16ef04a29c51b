/* Low-Pass Filter: takes away what lies above the cutoff, 12 dB per octave. */
#include "base/built_in.h"
#include "filter/filter.h"

static const bl_parameter_info parameters[] = FILTER_PARAMETERS(1000);

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    return bl_effect_render(unit, flags, timestamp, frames, bus, output, events, host, filter_apply,
                            filter_process_low_pass);
}

static const char *const tags[] = {"Filter", NULL};

const bl_unit_descriptor bl_low_pass = {
    BL_BUILT_IN(BL_TYPE_EFFECT, 'l', 'p', 'a', 's'),
    .name = "Low-Pass Filter",
    .summary =
        "Takes away what lies above the cutoff, 12 dB per octave; resonance lifts what lies at it",
    .tags = tags,
    BL_EFFECT_BUSSES,
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
