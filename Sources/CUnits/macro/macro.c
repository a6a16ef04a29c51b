/* Macro: one knob that moves parameters of several units at once. */
#include "base/built_in.h"
#include "base/generator.h"

enum { PARAMETER_VALUE, PARAMETER_COUNT };

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PARAMETER_VALUE] = {"value", NULL, "Value", BL_UNIT_PERCENT, 0, 100, 0, BL_CURVE_LINEAR,
                         BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
};

BL_CREATE(bl_unit_base)

static void reset(bl_unit *unit) BL_NONBLOCKING { bl_unit_base_finish_ramps((bl_unit_base *)unit); }

static void apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    bl_unit_base_apply((bl_unit_base *)unit, event);
}

static void process(bl_unit *unit, float *const *input, float *const *output, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    (void)input;
    bl_ramp *value = ((bl_unit_base *)unit)->parameters;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[0][first_frame + frame] = bl_ramp_value(value, frame) * 0.01f;
    }
    bl_ramp_advance(value, frames);
}

BL_GENERATOR_RENDER(apply, process)

static const char *const tags[] = {"Modulation", "Control", "Utility", NULL};

const bl_unit_descriptor bl_macro = {
    BL_BUILT_IN(BL_TYPE_GENERATOR, 'm', 'a', 'c', 'r'),
    .name = "Macro",
    .summary = "One knob that moves parameters of several units at once",
    BL_CONTROL_OUTPUT,
    BL_GENERATOR_CAPABILITIES,
    BL_UNIT_BASE_LIFE,
    .set_parameter = bl_unit_base_set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .allocate_render_resources = bl_unit_base_allocate_and_reset,
};
