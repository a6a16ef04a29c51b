/* Template: a generator, which makes a sound out of nothing: a sine. What it sounds like stands in
   `process`; the kit keeps the rules around it (backline/kit_unit.h has all that it can do). */
#include <math.h>

#include "backline/kit.h"

enum { PARAMETER_FREQUENCY, PARAMETER_LEVEL, PARAMETER_COUNT };

typedef struct template_unit {
    bl_unit_base base; /* comes first: parameters, sample_rate, output_channel_count, ... */
    double phase;      /* turns, 0 to 1 */
} template_unit;

/* Forgets the sound so far. */
static void reset(bl_unit *unit) BL_NONBLOCKING { ((template_unit *)unit)->phase = 0; }

/* The sine of a phase of 0 to 1 turns, to 2e-6: its series around the nearest zero. */
static float sine(double turns) BL_NONBLOCKING {
    float x = (float)(turns < 0.25 ? turns : turns < 0.75 ? 0.5 - turns : turns - 1);
    float angle = 6.2831853f * x;
    float square = angle * angle;
    return angle *
           (1 - square / 6 *
                    (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110)))));
}

/* The sound: `frames` frames without an event among them. */
static void process(bl_unit *unit, bl_io *io, uint32_t first, uint32_t frames) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    const bl_ramp *parameters = self->base.parameters;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float level = 0.01f * bl_ramp_value(&parameters[PARAMETER_LEVEL], frame);
        float sample = level * sine(self->phase);
        for (uint32_t channel = 0; channel < self->base.output_channel_count; channel += 1) {
            io->output[channel][first + frame] = sample;
        }
        float frequency = bl_ramp_value(&parameters[PARAMETER_FREQUENCY], frame);
        self->phase += frequency / self->base.sample_rate;
        self->phase -= self->phase >= 1 ? 1 : 0;
    }
    bl_kit_advance(unit, frames);
}

/* It never ends by itself. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return INFINITY;
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
    {"frequency", NULL, "Frequency", BL_UNIT_HERTZ, 20, 5000, 440, BL_CURVE_LOGARITHMIC,
     BL_PARAMETER_DEFAULT_FLAGS, NULL, NULL, NULL, 1},
    {"level", NULL, "Level", BL_UNIT_PERCENT, 0, 100, 25, BL_CURVE_LINEAR,
     BL_PARAMETER_DEFAULT_FLAGS, NULL, NULL, NULL, 2},
};
static const bl_bus_info outputs[] = {{"output", 2, 0}};
static const bl_channel_capability capabilities[] = {{0, -1}};

static const char *const tags[] = {"Synthesizer", NULL};

static const bl_unit_descriptor descriptor = {
    BL_ABI_VERSION,
    sizeof(bl_unit_descriptor),
    {BL_TYPE_GENERATOR, BL_FOUR_CHARACTER_CODE('t', 'm', 'p', 'l'),
     BL_FOUR_CHARACTER_CODE('D', 'e', 'm', 'o')},
    0x00010000, /* 1.0.0 */
    "Template",
    "Example",
    "A sine without end",
    tags, /* those in unit.yaml take their place */
    0,
    NULL,
    0,
    0, /* input busses, and how many there may be */
    outputs,
    1, /* output busses */
    capabilities,
    1,
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
    tail_time,
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
