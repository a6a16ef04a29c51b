/* Template: an effect with one knob. What it does to the sound stands in `process`; the kit keeps
   the rules around it (backline/kit_unit.h has all that it can do). */
#include "backline/kit.h"

enum { PARAMETER_LEVEL, PARAMETER_COUNT };

typedef struct template_unit {
    bl_unit_base base; /* comes first: parameters, sample_rate, output_channel_count, ... */
} template_unit;

/* Forgets the sound so far. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    (void)self; /* there is nothing yet */
}

/* The sound: `frames` frames without an event among them. Input and output may be the same memory,
   so each frame is read before it is written. */
static void process(bl_unit *unit, bl_io *io, uint32_t first, uint32_t frames) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    const bl_ramp *parameters = self->base.parameters;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float level = 0.01f * bl_ramp_value(&parameters[PARAMETER_LEVEL], frame);
        for (uint32_t channel = 0; channel < self->base.output_channel_count; channel += 1) {
            io->output[channel][first + frame] = level * io->input[channel][first + frame];
        }
    }
    bl_kit_advance(unit, frames);
}

static const bl_kit kit = {
    sizeof(template_unit),
    process,
    NULL, /* change */
    NULL, /* midi */
    NULL, /* cycle */
    NULL, /* prepare */
    NULL, /* finish */
    reset,
    NULL, /* create */
    NULL, /* destroy */
    NULL, /* value */
    NULL, /* express */
};
BL_KIT_FUNCTIONS(kit)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    {"level", NULL, "Level", BL_UNIT_PERCENT, 0, 200, 100, BL_CURVE_LINEAR,
     BL_PARAMETER_DEFAULT_FLAGS, NULL, NULL, NULL, 1},
};
static const bl_bus_info inputs[] = {{"input", 2, 0}};
static const bl_bus_info outputs[] = {{"output", 2, 0}};

static const char *const tags[] = {"Effects", NULL};

static const bl_unit_descriptor descriptor = {
    BL_ABI_VERSION,
    sizeof(bl_unit_descriptor),
    {BL_TYPE_EFFECT, BL_FOUR_CHARACTER_CODE('t', 'm', 'p', 'l'),
     BL_FOUR_CHARACTER_CODE('D', 'e', 'm', 'o')},
    0x00010000, /* 1.0.0 */
    "Template",
    "Example",
    "Makes the sound louder or softer",
    tags, /* those in unit.yaml take their place */
    BL_UNIT_CAN_PROCESS_IN_PLACE,
    inputs,
    1,
    1, /* input busses, and how many there may be */
    outputs,
    1, /* output busses */
    NULL,
    0, /* any channel count, the same on both sides */
    0,
    NULL, /* cables of MIDI input, names of MIDI outputs */
    parameters,
    PARAMETER_COUNT,
    NULL,
    0, /* names of parameter groups */
    NULL,
    0, /* properties */
    NULL,
    0, /* factory presets: unit.yaml may have some */
    BL_KIT_MEMBER_LIST(NULL),
    NULL, /* wait_until_ready */
    NULL, /* latency */
    NULL, /* tail_time */
    NULL,
    0,    /* telemetry: arrays to show */
    NULL, /* read_telemetry */
    NULL, /* receive_message */
    NULL, /* preflight */
    NULL, /* save_data */
    NULL, /* load_data */
    NULL, /* note_name */
    NULL, /* value_text */
    NULL, /* text_value */
};

static const bl_unit_descriptor *const units[] = {&descriptor};
static const bl_unit_library library = {BL_ABI_VERSION, 1, units};

BL_EXPORT const bl_unit_library *backline_unit_library(void) { return &library; }
