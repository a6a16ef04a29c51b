/* Template: an instrument with one voice, a sine that dies away. What it sounds like stands in
   `process`, what keys do in `midi`; everything around them keeps the rules of backline/unit.h and
   can mostly stay as it is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backline/unit.h"

enum { PARAMETER_LEVEL, PARAMETER_COUNT };

typedef struct template_unit {
    bl_ramp parameters[PARAMETER_COUNT];
    float frequencies[128]; /* Hz, by note */
    float decays[2];        /* what a frame multiplies the envelope by: key down, key up */
    int note;               /* the key that is down; -1: none */
    float frequency;        /* Hz, of the note that sounds */
    float envelope;         /* 0 to 1 */
    double phase;           /* turns, 0 to 1 */
    double sample_rate;     /* Hz */
    uint32_t channel_count;
    uint32_t maximum_frames;
    float *memory; /* channel_count x maximum_frames, for null output pointers */
} template_unit;

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    template_unit *self = (template_unit *)calloc(1, sizeof(template_unit));
    for (int index = 0; self != NULL && index < PARAMETER_COUNT; index += 1) {
        bl_ramp_set(&self->parameters[index], descriptor->parameters[index].default_value);
    }
    return (bl_unit *)self;
}

static void destroy(bl_unit *unit) { free(unit); }

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    if (address < PARAMETER_COUNT) {
        bl_ramp_set(&((template_unit *)unit)->parameters[address], value);
    }
}

static float parameter_value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const template_unit *self = (const template_unit *)unit;
    return address < PARAMETER_COUNT ? bl_ramp_value(&self->parameters[address], 0) : 0;
}

/* Forgets the sound so far; parameters stay, at their targets. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    for (int index = 0; index < PARAMETER_COUNT; index += 1) {
        bl_ramp_set(&self->parameters[index], self->parameters[index].target);
    }
    self->note = -1;
    self->envelope = 0;
    self->phase = 0;
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    template_unit *self = (template_unit *)unit;
    uint32_t channels = configuration->output_channel_counts[0];
    if (channels < 1 || channels > BL_MAXIMUM_CHANNELS) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    self->memory = (float *)calloc((size_t)channels * configuration->maximum_frames, sizeof(float));
    if (self->memory == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    self->channel_count = channels;
    self->maximum_frames = configuration->maximum_frames;
    self->sample_rate = configuration->sample_rate;
    for (int note = 0; note < 128; note += 1) {
        self->frequencies[note] = (float)(440 * pow(2, (note - 69) / 12.0));
    }
    self->decays[0] = (float)pow(0.001, 1 / (4.0 * configuration->sample_rate));
    self->decays[1] = (float)pow(0.001, 1 / (0.2 * configuration->sample_rate));
    reset(unit);
    return BL_OK;
}

static void deallocate(bl_unit *unit) {
    template_unit *self = (template_unit *)unit;
    free(self->memory);
    self->memory = NULL;
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
static void midi(template_unit *self, const bl_midi_event *message) BL_NONBLOCKING {
    uint8_t kind = message->bytes[0] & 0xF0;
    if (kind == 0x90 && message->bytes[2] > 0) {
        self->note = message->bytes[1];
        self->frequency = self->frequencies[message->bytes[1] & 0x7F];
        self->envelope = (float)message->bytes[2] / 127;
    } else if ((kind == 0x80 || kind == 0x90) && message->bytes[1] == self->note) {
        self->note = -1;
    } else if (kind == 0xB0 && (message->bytes[1] == 120 || message->bytes[1] == 123)) {
        self->note = -1; /* all sound off, all notes off */
    }
}

/* The sound: `frames` frames without an event among them. */
static void process(template_unit *self, float *const *output, uint32_t first,
                    uint32_t frames) BL_NONBLOCKING {
    float decay = self->decays[self->note < 0 ? 1 : 0];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float level = 0.01f * bl_ramp_value(&self->parameters[PARAMETER_LEVEL], frame);
        float sample = level * self->envelope * sine(self->phase);
        for (uint32_t channel = 0; channel < self->channel_count; channel += 1) {
            output[channel][first + frame] = sample;
        }
        self->phase += self->frequency / self->sample_rate;
        self->phase -= self->phase >= 1 ? 1 : 0;
        self->envelope *= decay;
        if (self->envelope < 1e-5f) {
            self->envelope = 0;
            self->phase = 0;
        }
    }
}

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    if (self->memory == NULL) {
        return BL_ERROR_NOT_ALLOCATED;
    }
    if (frames > self->maximum_frames) {
        return BL_ERROR_TOO_MANY_FRAMES;
    }
    if (bus != 0) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }

    (void)flags;
    (void)host;
    for (uint32_t channel = 0; channel < self->channel_count; channel += 1) {
        if (output->channels[channel] == NULL) {
            output->channels[channel] = self->memory + (size_t)channel * self->maximum_frames;
        }
    }

    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            if (event->type == BL_EVENT_PARAMETER || event->type == BL_EVENT_PARAMETER_RAMP) {
                if (event->parameter.address < PARAMETER_COUNT) {
                    bl_ramp_apply(&self->parameters[event->parameter.address], event);
                }
            } else if (event->type == BL_EVENT_MIDI) {
                midi(self, &event->midi);
            }
        }
        process(self, output->channels, segment.first_frame, segment.frame_count);
        for (int index = 0; index < PARAMETER_COUNT; index += 1) {
            bl_ramp_advance(&self->parameters[index], segment.frame_count);
        }
    }
    return BL_OK;
}

/* Seconds until a note that was let go is at -60 dB. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return 0.2;
}

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
    1,
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
    tail_time,
    NULL,
    0,    /* telemetry: arrays to show */
    NULL, /* read_telemetry */
    NULL, /* receive_message */
    NULL, /* preflight */
};

static const bl_unit_descriptor *const units[] = {&descriptor};
static const bl_unit_library library = {BL_ABI_VERSION, 1, units};

BL_EXPORT const bl_unit_library *backline_unit_library(void) { return &library; }
