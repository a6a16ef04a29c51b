/* Template: a music effect, which hears MIDI besides the sound: keys open it as a gate. What it
   does to the sound stands in `process`, what keys do in `midi`; the kit keeps the rules around
   them (backline/kit_unit.h has all that it can do). */
#include <string.h>

#include "backline/kit.h"

enum { PARAMETER_FLOOR, PARAMETER_COUNT };

typedef struct template_unit {
    bl_unit_base base; /* comes first: parameters, sample_rate, output_channel_count, ... */
    uint8_t keys[16];  /* a bit for each key that is down */
    float step;        /* of the opening, per frame */
    float opening;     /* 0 closed to 1 open */
} template_unit;

/* Computes what depends on the sample rate. */
static bl_status prepare(bl_unit *unit) {
    template_unit *self = (template_unit *)unit;
    self->step = (float)(1 / (0.005 * self->base.sample_rate));
    return BL_OK;
}

/* Forgets the sound so far. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    memset(self->keys, 0, sizeof self->keys);
    self->opening = 0;
}

/* What a MIDI message does. */
static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    (void)io;
    uint8_t key = message->bytes[1];
    uint8_t bit = (uint8_t)(1 << (key & 7));
    if (bl_midi_is_note_on(message)) {
        self->keys[key >> 3] = self->keys[key >> 3] | bit;
    } else if (bl_midi_is_note_off(message)) {
        self->keys[key >> 3] = self->keys[key >> 3] & (uint8_t)~bit;
    } else if ((message->bytes[0] & 0xF0) == BL_CONTROLLER &&
               (key == BL_ALL_SOUND_OFF || key == BL_ALL_NOTES_OFF)) {
        memset(self->keys, 0, sizeof self->keys);
    }
}

static bool is_open(const template_unit *self) BL_NONBLOCKING {
    for (int place = 0; place < 16; place += 1) {
        if (self->keys[place] != 0) {
            return true;
        }
    }
    return false;
}

/* The sound: `frames` frames without an event among them. Input and output may be the same memory,
   so each frame is read before it is written. */
static void process(bl_unit *unit, bl_io *io, uint32_t first, uint32_t frames) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    const bl_ramp *parameters = self->base.parameters;
    float target = is_open(self) ? 1 : 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float distance = target - self->opening;
        float step = distance > self->step    ? self->step
                     : distance < -self->step ? -self->step
                                              : distance;
        self->opening += step;
        float floor = 0.01f * bl_ramp_value(&parameters[PARAMETER_FLOOR], frame);
        float level = floor + (1 - floor) * self->opening;
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
    {"floor", NULL, "Floor", BL_UNIT_PERCENT, 0, 100, 0, BL_CURVE_LINEAR,
     BL_PARAMETER_DEFAULT_FLAGS, NULL, NULL, NULL, 1},
};
static const bl_bus_info inputs[] = {{"input", 2, 0}};
static const bl_bus_info outputs[] = {{"output", 2, 0}};

static const char *const tags[] = {"Effects", "MIDI", NULL};

static const bl_unit_descriptor descriptor = {
    BL_ABI_VERSION,
    sizeof(bl_unit_descriptor),
    {BL_TYPE_MUSIC_EFFECT, BL_FOUR_CHARACTER_CODE('t', 'm', 'p', 'l'),
     BL_FOUR_CHARACTER_CODE('D', 'e', 'm', 'o')},
    0x00010000, /* 1.0.0 */
    "Template",
    "Example",
    "Lets the sound through while a key is down",
    tags, /* those in unit.yaml take their place */
    BL_UNIT_CAN_PROCESS_IN_PLACE | BL_UNIT_MIDI_INPUT,
    inputs,
    1,
    1, /* input busses, and how many there may be */
    outputs,
    1, /* output busses */
    NULL,
    0, /* any channel count, the same on both sides */
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
