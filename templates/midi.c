/* Template: a MIDI processor, which plays a second note beside each that comes in. What it does to
   a message stands in `midi`; the kit keeps the rules around it (backline/kit_unit.h has all that
   it can do). */
#include <string.h>

#include "backline/kit.h"

enum { PARAMETER_INTERVAL, PARAMETER_COUNT };

typedef struct template_unit {
    bl_unit_base base;        /* comes first: parameters, sample_rate, ... */
    uint8_t seconds[16][128]; /* by channel and key: the second note that sounds, plus 1; 0: none */
} template_unit;

/* Forgets the notes so far. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    memset(self->seconds, 0, sizeof self->seconds);
}

static void send(const bl_io *io, uint8_t status, uint8_t note, uint8_t velocity) BL_NONBLOCKING {
    uint8_t bytes[3] = {status, note, velocity};
    io->host->send_midi(io->host->context, io->now, 0, 3, bytes);
}

/* What a MIDI message becomes: the message itself, and for notes a second one. The second note ends
   with its key, whatever the interval is by then. */
static void midi(bl_unit *unit, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    io->host->send_midi(io->host->context, io->now, 0, message->length, message->bytes);
    uint8_t kind = message->bytes[0] & 0xF0, channel = message->bytes[0] & 0x0F;
    if (kind == BL_CONTROLLER &&
        (message->bytes[1] == BL_ALL_SOUND_OFF || message->bytes[1] == BL_ALL_NOTES_OFF)) {
        memset(self->seconds[channel], 0, sizeof self->seconds[channel]);
    }
    if (kind != BL_NOTE_OFF && kind != BL_NOTE_ON) {
        return;
    }
    uint8_t *second = &self->seconds[channel][message->bytes[1]];
    if (*second != 0) { /* the key was down */
        send(io, (uint8_t)(BL_NOTE_OFF | channel), (uint8_t)(*second - 1), 64);
        *second = 0;
    }
    int note = message->bytes[1] + (int)self->base.parameters[PARAMETER_INTERVAL].target;
    if (bl_midi_is_note_on(message) && note >= 0 && note < 128) {
        send(io, message->bytes[0], (uint8_t)note, message->bytes[2]);
        *second = (uint8_t)(note + 1);
    }
}

static const bl_kit kit = {
    sizeof(template_unit),
    NULL, /* process */
    NULL, /* change */
    midi,
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
    {"interval", NULL, "Interval", BL_UNIT_SEMITONES, -24, 24, 7, BL_CURVE_LINEAR,
     BL_PARAMETER_READABLE | BL_PARAMETER_WRITABLE, NULL, NULL, NULL, 1},
};

static const char *const tags[] = {"MIDI", NULL};

static const bl_unit_descriptor descriptor = {
    BL_ABI_VERSION,
    sizeof(bl_unit_descriptor),
    {BL_TYPE_MIDI_PROCESSOR, BL_FOUR_CHARACTER_CODE('t', 'm', 'p', 'l'),
     BL_FOUR_CHARACTER_CODE('D', 'e', 'm', 'o')},
    0x00010000, /* 1.0.0 */
    "Template",
    "Example",
    "Plays a second note beside each",
    tags, /* those in unit.yaml take their place */
    BL_UNIT_MIDI_INPUT | BL_UNIT_MIDI_OUTPUT,
    NULL,
    0,
    0, /* input busses, and how many there may be */
    NULL,
    0, /* output busses */
    NULL,
    0, /* channel capabilities */
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
