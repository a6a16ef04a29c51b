/* Template: an instrument with one voice, a sine that dies away. What it sounds like stands in
   `process`, what keys do in `midi`; the kit keeps the rules around them (backline/kit_unit.h has
   all that it can do). */
#include <math.h>

#include "backline/kit.h"

enum { PARAMETER_LEVEL, PARAMETER_COUNT };

typedef struct template_unit {
    bl_unit_base base;      /* comes first: parameters, sample_rate, output_channel_count, ... */
    float frequencies[128]; /* Hz, by note */
    float decays[2];        /* what a frame multiplies the envelope by: key down, key up */
    int note;               /* the key that is down; -1: none */
    float frequency;        /* Hz, of the note that sounds */
    float envelope;         /* 0 to 1 */
    double phase;           /* turns, 0 to 1 */
} template_unit;

/* Computes what depends on the sample rate. */
static bl_status prepare(bl_unit *unit) {
    template_unit *self = (template_unit *)unit;
    for (int note = 0; note < 128; note += 1) {
        self->frequencies[note] = (float)(440 * pow(2, (note - 69) / 12.0));
    }
    self->decays[0] = (float)pow(0.001, 1 / (4.0 * self->base.sample_rate));
    self->decays[1] = (float)pow(0.001, 1 / (0.2 * self->base.sample_rate));
    return BL_OK;
}

/* Forgets the sound so far. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    self->note = -1;
    self->envelope = 0;
    self->phase = 0;
}

/* The sine of a phase of 0 to 1 turns, to 2e-6: its series around the nearest zero. */
static float sine(double turns) BL_NONBLOCKING {
    float x = (float)(turns < 0.25 ? turns : turns < 0.75 ? 0.5 - turns : turns - 1);
    float angle = 6.2831853f * x;
    float square = angle * angle;
    return angle *
           (1 - square / 6 *
                    (1 - square / 20 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110)))));
}

/* What a MIDI message does. */
static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    (void)io;
    if (bl_midi_is_note_on(message)) {
        self->note = message->bytes[1];
        self->frequency = self->frequencies[message->bytes[1]];
        self->envelope = (float)message->bytes[2] / 127;
    } else if (bl_midi_is_note_off(message) && message->bytes[1] == self->note) {
        self->note = -1;
    } else if ((message->bytes[0] & 0xF0) == BL_CONTROLLER &&
               (message->bytes[1] == BL_ALL_SOUND_OFF || message->bytes[1] == BL_ALL_NOTES_OFF)) {
        self->note = -1;
    }
}

/* The sound: `frames` frames without an event among them. */
static void process(bl_unit *unit, bl_io *io, uint32_t first, uint32_t frames) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    const bl_ramp *parameters = self->base.parameters;
    float decay = self->decays[self->note < 0 ? 1 : 0];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float level = 0.01f * bl_ramp_value(&parameters[PARAMETER_LEVEL], frame);
        float sample = level * self->envelope * sine(self->phase);
        for (uint32_t channel = 0; channel < self->base.output_channel_count; channel += 1) {
            io->output[channel][first + frame] = sample;
        }
        self->phase += self->frequency / self->base.sample_rate;
        self->phase -= self->phase >= 1 ? 1 : 0;
        self->envelope *= decay;
        if (self->envelope < 1e-5f) {
            self->envelope = 0;
            self->phase = 0;
        }
    }
    bl_kit_advance(unit, frames);
}

/* Seconds until a note that was let go is at -60 dB. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return 0.2;
}

static const bl_kit kit = {
    sizeof(template_unit),
    process,
    NULL, /* change */
    midi,
    NULL, /* cycle */
    prepare,
    NULL, /* finish */
    reset,
    NULL, /* create */
    NULL, /* destroy */
    NULL, /* value */
    NULL, /* express */
};
BL_KIT_FUNCTIONS(kit)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    {"level", NULL, "Level", BL_UNIT_PERCENT, 0, 100, 50, BL_CURVE_LINEAR,
     BL_PARAMETER_DEFAULT_FLAGS, NULL, NULL, NULL, 1},
};
static const bl_bus_info outputs[] = {{"output", 2, 0}};
static const bl_channel_capability capabilities[] = {{0, -1}};

static const char *const tags[] = {"Synthesizer", NULL};

static const bl_unit_descriptor descriptor = {
    BL_ABI_VERSION,
    sizeof(bl_unit_descriptor),
    {BL_TYPE_INSTRUMENT, BL_FOUR_CHARACTER_CODE('t', 'm', 'p', 'l'),
     BL_FOUR_CHARACTER_CODE('D', 'e', 'm', 'o')},
    0x00010000, /* 1.0.0 */
    "Template",
    "Example",
    "One voice, a sine that dies away",
    tags, /* those in unit.yaml take their place */
    BL_UNIT_MIDI_INPUT,
    NULL,
    0,
    0, /* input busses, and how many there may be */
    outputs,
    1, /* output busses */
    capabilities,
    1,
    1,
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
