/* Template: a MIDI processor, which plays a second note beside each that comes in. What it does to
   a message stands in `midi`; everything around it keeps the rules of backline/unit.h and can
   mostly stay as it is. */
#include <stdlib.h>
#include <string.h>

#include "backline/unit.h"

enum { PARAMETER_INTERVAL, PARAMETER_COUNT };

typedef struct template_unit {
    float parameters[PARAMETER_COUNT];
    uint8_t seconds[16][128]; /* by channel and key: the second note that sounds, plus 1; 0: none */
    uint32_t maximum_frames;  /* 0 without render resources */
} template_unit;

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    template_unit *self = (template_unit *)calloc(1, sizeof(template_unit));
    for (int index = 0; self != NULL && index < PARAMETER_COUNT; index += 1) {
        self->parameters[index] = descriptor->parameters[index].default_value;
    }
    return (bl_unit *)self;
}

static void destroy(bl_unit *unit) { free(unit); }

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    if (address < PARAMETER_COUNT) {
        ((template_unit *)unit)->parameters[address] = value;
    }
}

static float parameter_value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    return address < PARAMETER_COUNT ? ((const template_unit *)unit)->parameters[address] : 0;
}

/* Forgets the notes so far; parameters stay. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    memset(self->seconds, 0, sizeof self->seconds);
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    ((template_unit *)unit)->maximum_frames = configuration->maximum_frames;
    reset(unit);
    return BL_OK;
}

static void deallocate(bl_unit *unit) { ((template_unit *)unit)->maximum_frames = 0; }

/* What a MIDI message becomes: the message itself, and for notes a second one. The second note ends
   with its key, whatever the interval is by then. */
static void midi(template_unit *self, const bl_event *event,
                 const bl_render_host *host) BL_NONBLOCKING {
    const bl_midi_event *message = &event->midi;
    host->send_midi(host->context, event->sample_time, 0, message->length, message->bytes);
    uint8_t kind = message->bytes[0] & 0xF0, channel = message->bytes[0] & 0x0F;
    if (kind == 0xB0 && (message->bytes[1] == 120 || message->bytes[1] == 123)) {
        memset(self->seconds[channel], 0, sizeof self->seconds[channel]);
    }
    if (kind != 0x80 && kind != 0x90) {
        return;
    }
    uint8_t *second = &self->seconds[channel][message->bytes[1] & 0x7F];
    uint8_t bytes[3] = {message->bytes[0], 0, message->bytes[2]};
    if (*second != 0) { /* the key was down */
        uint8_t off[3] = {(uint8_t)(0x80 | channel), (uint8_t)(*second - 1), 64};
        *second = 0;
        host->send_midi(host->context, event->sample_time, 0, 3, off);
    }
    int note = (message->bytes[1] & 0x7F) + (int)self->parameters[PARAMETER_INTERVAL];
    if (kind == 0x90 && message->bytes[2] > 0 && note >= 0 && note < 128) {
        bytes[1] = (uint8_t)note;
        *second = (uint8_t)(note + 1);
        host->send_midi(host->context, event->sample_time, 0, 3, bytes);
    }
}

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    if (self->maximum_frames == 0) {
        return BL_ERROR_NOT_ALLOCATED;
    }
    if (frames > self->maximum_frames) {
        return BL_ERROR_TOO_MANY_FRAMES;
    }
    if (bus != 0) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }

    (void)flags;
    (void)timestamp;
    (void)output; /* of no channels */
    for (const bl_event *event = events; event != NULL; event = event->next) {
        if (event->type == BL_EVENT_PARAMETER || event->type == BL_EVENT_PARAMETER_RAMP) {
            set_parameter(unit, event->parameter.address, event->parameter.value);
        } else if (event->type == BL_EVENT_MIDI) {
            midi(self, event, host);
        } else if (event->type == BL_EVENT_SYSTEM_EXCLUSIVE) {
            host->send_midi(host->context, event->sample_time, 0, event->system_exclusive.length,
                            event->system_exclusive.data);
        }
    }
    return BL_OK;
}

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
    create,
    destroy,
    NULL, /* set_property */
    set_parameter,
    parameter_value,
    allocate,
    deallocate,
    reset,
    render,
    NULL, /* wait_until_ready */
    NULL, /* latency */
    NULL, /* tail_time */
    NULL,
    0,    /* telemetry: arrays to show */
    NULL, /* read_telemetry */
    NULL, /* receive_message */
    NULL, /* preflight */
};

static const bl_unit_descriptor *const units[] = {&descriptor};
static const bl_unit_library library = {BL_ABI_VERSION, 1, units};

BL_EXPORT const bl_unit_library *backline_unit_library(void) { return &library; }
