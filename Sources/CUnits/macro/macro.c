/* Macro: one knob that moves parameters of several units. */
#include "base/built_in.h"
#include "base/generator.h"

enum { VALUE, PARAMETER_COUNT };

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [VALUE] = BL_KNOB("value", "Value", PERCENT, LINEAR, 0, 100, 0, 1),
};

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    bl_ramp *value = ((bl_unit_base *)unit)->parameters;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        io->output[0][first_frame + frame] = bl_ramp_value(value, frame) * 0.01f;
    }
    bl_ramp_advance(value, frames);
}

BL_KIT(bl_unit_base, .process = process)

const bl_unit_descriptor bl_macro = {
    BL_GENERATOR('m', 'a', 'c', 'r'),
    .name = "Macro",
    BL_TAGS("Modulation", "Control", "Utility"),
    .summary = "One knob that moves parameters of several units at once",
};
