/* A small unit that keeps every rule: a gain. Each file beside this one includes it and breaks one
   rule, by redefining a step (SAMPLE, RESET, CREATE ...) or an entry of the descriptor (UNIT). Each
   file begins with the expected failure. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backline/unit.h"

typedef struct plain {
    bl_ramp gain;
    uint32_t channel_count, maximum_frames;
    double sample_rate;
    float *memory;  /* for null output pointers: channel_count × maximum_frames */
    float *offered; /* to pull_input; the same size */
    float state[BL_MAXIMUM_CHANNELS];
    float line[BL_MAXIMUM_CHANNELS][128];
    uint32_t position[BL_MAXIMUM_CHANNELS];
    uint32_t count;
} plain;

/* The output for one sample of the input. */
#ifndef SAMPLE
#define SAMPLE(self, channel, input, gain) ((input) * (gain))
#endif
#ifndef RESET
#define RESET(self)                                                                                \
    do {                                                                                           \
        memset((self)->state, 0, sizeof(self)->state);                                             \
        memset((self)->line, 0, sizeof(self)->line);                                               \
        memset((self)->position, 0, sizeof(self)->position);                                       \
        (self)->count = 0;                                                                         \
    } while (0)
#endif
#ifndef CREATE
#define CREATE(self)
#endif
#ifndef DESTROY
#define DESTROY(self)
#endif
/* Whether the unit accepts a configuration with these channel counts. */
#ifndef ACCEPTS
#define ACCEPTS(self, configuration, input, output) ((input) == (output))
#endif
#ifndef SET
#define SET(self, value) bl_ramp_set(&(self)->gain, value)
#endif
#ifndef VALUE
#define VALUE(self) bl_ramp_value(&(self)->gain, 0)
#endif
#ifndef APPLY
#define APPLY(self, event)                                                                         \
    if (((event)->type == BL_EVENT_PARAMETER || (event)->type == BL_EVENT_PARAMETER_RAMP) &&       \
        (event)->parameter.address == 0) {                                                         \
        bl_ramp_apply(&(self)->gain, event);                                                       \
    }
#endif
/* The code before and after the samples of a cycle. */
#ifndef BEFORE
#define BEFORE(self, input, output, frames)
#endif
#ifndef AFTER
#define AFTER(self, input, output, frames)
#endif

static bl_unit *plain_create(const bl_unit_descriptor *descriptor) {
    plain *self = (plain *)calloc(1, sizeof(plain));
    if (self != NULL) {
        bl_ramp_set(&self->gain, descriptor->parameters[0].default_value);
        CREATE(self);
    }
    return (bl_unit *)self;
}

static void plain_destroy(bl_unit *unit) {
    DESTROY((plain *)unit);
    free(unit);
}

static void plain_set_parameter(bl_unit *unit, bl_parameter_address address, float value) {
    if (address == 0) {
        SET((plain *)unit, value);
    }
}

static float plain_parameter_value(const bl_unit *unit, bl_parameter_address address) {
    return address == 0 ? VALUE((const plain *)unit) : 0;
}

static void plain_reset(bl_unit *unit) {
    plain *self = (plain *)unit;
    RESET(self);
    bl_ramp_set(&self->gain, self->gain.target);
}

static bl_status plain_allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    plain *self = (plain *)unit;
    uint32_t channels = configuration->output_channel_counts[0];
    if (!(ACCEPTS(self, configuration, configuration->input_channel_counts[0], channels))) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    self->memory = (float *)calloc((size_t)channels * configuration->maximum_frames + 1, 4);
    self->offered = (float *)calloc((size_t)channels * configuration->maximum_frames + 1, 4);
    self->channel_count = channels;
    self->maximum_frames = configuration->maximum_frames;
    self->sample_rate = configuration->sample_rate;
    plain_reset(unit);
    return BL_OK;
}

static void plain_deallocate(bl_unit *unit) {
    free(((plain *)unit)->memory);
    free(((plain *)unit)->offered);
}

static bl_status plain_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, uint32_t bus, bl_buffers *output,
                              const bl_event *events, const bl_render_host *host) {
    plain *self = (plain *)unit;
    (void)bus;
    float *offered[BL_MAXIMUM_CHANNELS];
    for (uint32_t channel = 0; channel < self->channel_count; channel += 1) {
        offered[channel] = self->offered + (size_t)channel * self->maximum_frames;
        if (output->channels[channel] == NULL) {
            output->channels[channel] = self->memory + (size_t)channel * self->maximum_frames;
        }
    }
    bl_buffers input = {self->channel_count, offered};
    bl_status status = host->pull_input(host->context, flags, timestamp, frames, 0, &input);
    if (status != BL_OK && status != BL_ERROR_NO_CONNECTION) {
        return status;
    }
    BEFORE(self, input, output, frames);
    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            APPLY(self, event);
        }
        for (uint32_t frame = 0; frame < segment.frame_count; frame += 1) {
            float gain = bl_ramp_value(&self->gain, frame);
            (void)gain;
            for (uint32_t channel = 0; channel < self->channel_count; channel += 1) {
                float sample = input.channels[channel][segment.first_frame + frame];
                output->channels[channel][segment.first_frame + frame] =
                    SAMPLE(self, channel, sample, gain);
            }
        }
        bl_ramp_advance(&self->gain, segment.frame_count);
    }
    AFTER(self, input, output, frames);
    return BL_OK;
}

static const char *const plain_tags[] = {"Test", NULL};
static const bl_bus_info plain_inputs[] = {{"input", 2, 0}};
static const bl_bus_info plain_outputs[] = {{"output", 2, 0}};
static const bl_parameter_info plain_parameters[] = {
    {"gain", NULL, "Gain", BL_UNIT_RATIO, 0, 2, 1, BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS,
     NULL, NULL, NULL, 1},
};

/* Defines the library; the arguments replace entries of the descriptor. */
#define UNIT(...)                                                                                  \
    _Pragma(                                                                                       \
        "clang diagnostic ignored \"-Winitializer-overrides\"") static const bl_unit_descriptor    \
        plain_descriptor = {.abi_version = BL_ABI_VERSION,                                         \
                            .size = sizeof(bl_unit_descriptor),                                    \
                            .component = {BL_TYPE_EFFECT,                                          \
                                          BL_FOUR_CHARACTER_CODE('f', 'a', 'l', 't'),              \
                                          BL_FOUR_CHARACTER_CODE('T', 'e', 's', 't')},             \
                            .version = 0x00010000,                                                 \
                            .name = "Faulty",                                                      \
                            .manufacturer_name = "Test",                                           \
                            .summary = "Breaks one rule.",                                         \
                            .tags = plain_tags,                                                    \
                            .flags = BL_UNIT_CAN_PROCESS_IN_PLACE,                                 \
                            .input_busses = plain_inputs,                                          \
                            .input_bus_count = 1,                                                  \
                            .output_busses = plain_outputs,                                        \
                            .output_bus_count = 1,                                                 \
                            .parameters = plain_parameters,                                        \
                            .parameter_count = 1,                                                  \
                            .create = plain_create,                                                \
                            .destroy = plain_destroy,                                              \
                            .set_parameter = plain_set_parameter,                                  \
                            .parameter_value = plain_parameter_value,                              \
                            .allocate_render_resources = plain_allocate,                           \
                            .deallocate_render_resources = plain_deallocate,                       \
                            .reset = plain_reset,                                                  \
                            .render = plain_render,                                                \
                            __VA_ARGS__};                                                          \
    static const bl_unit_descriptor *const plain_units[] = {&plain_descriptor};                    \
    static const bl_unit_library plain_library = {BL_ABI_VERSION, 1, plain_units};                 \
    BL_EXPORT const bl_unit_library *backline_unit_library(void) { return &plain_library; }
