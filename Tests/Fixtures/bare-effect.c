/* An effect with one parameter, written with backline/unit.h alone, without the kit. Tests change
   this text to break a rule. */
#include <stdlib.h>
#include <string.h>

#include "backline/unit.h"

enum { PARAMETER_LEVEL, PARAMETER_COUNT };

typedef struct template_unit {
    bl_ramp parameters[PARAMETER_COUNT];
    double sample_rate; /* Hz */
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

/* Clears the effect's memory of sound; parameters keep their targets. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    template_unit *self = (template_unit *)unit;
    for (int index = 0; index < PARAMETER_COUNT; index += 1) {
        bl_ramp_set(&self->parameters[index], self->parameters[index].target);
    }
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    template_unit *self = (template_unit *)unit;
    uint32_t channels = configuration->output_channel_counts[0];
    if (channels < 1 || channels > BL_MAXIMUM_CHANNELS ||
        configuration->input_channel_counts[0] != channels) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    self->memory = (float *)calloc((size_t)channels * configuration->maximum_frames, sizeof(float));
    if (self->memory == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    self->channel_count = channels;
    self->maximum_frames = configuration->maximum_frames;
    self->sample_rate = configuration->sample_rate;
    reset(unit);
    return BL_OK;
}

static void deallocate(bl_unit *unit) {
    template_unit *self = (template_unit *)unit;
    free(self->memory);
    self->memory = NULL;
}

/* Renders frames without an event between them. Input and output may be the same memory, so each
   frame is read before it is written. */
static void process(template_unit *self, float *const *input, float *const *output, uint32_t first,
                    uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float level = 0.01f * bl_ramp_value(&self->parameters[PARAMETER_LEVEL], frame);
        for (uint32_t channel = 0; channel < self->channel_count; channel += 1) {
            output[channel][first + frame] = level * input[channel][first + frame];
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

    float *pointers[BL_MAXIMUM_CHANNELS];
    for (uint32_t channel = 0; channel < self->channel_count; channel += 1) {
        if (output->channels[channel] == NULL) {
            output->channels[channel] = self->memory + (size_t)channel * self->maximum_frames;
        }
        pointers[channel] = output->channels[channel];
    }
    bl_buffers input = {self->channel_count, pointers};
    bl_status status = host->pull_input(host->context, flags, timestamp, frames, 0, &input);
    if (status != BL_OK && status != BL_ERROR_NO_CONNECTION) {
        return status;
    }

    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            if (event->type == BL_EVENT_PARAMETER || event->type == BL_EVENT_PARAMETER_RAMP) {
                if (event->parameter.address < PARAMETER_COUNT) {
                    bl_ramp_apply(&self->parameters[event->parameter.address], event);
                }
            }
        }
        process(self, input.channels, output->channels, segment.first_frame, segment.frame_count);
        for (int index = 0; index < PARAMETER_COUNT; index += 1) {
            bl_ramp_advance(&self->parameters[index], segment.frame_count);
        }
    }
    return BL_OK;
}

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
    tags, /* unit.yaml's replace them */
    BL_UNIT_CAN_PROCESS_IN_PLACE,
    inputs,
    1,
    1, /* input busses, and how many there may be */
    outputs,
    1,
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
    NULL, /* save_data */
    NULL, /* load_data */
    NULL, /* note_name */
};

static const bl_unit_descriptor *const units[] = {&descriptor};
static const bl_unit_library library = {BL_ABI_VERSION, 1, units};

BL_EXPORT const bl_unit_library *backline_unit_library(void) { return &library; }
