#include "test_units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FACTOR, FAULT, PARAMETER_COUNT };

typedef struct test_unit {
    const bl_unit_descriptor *descriptor;
    bl_ramp parameters[PARAMETER_COUNT];
    uint32_t channel_count, input_count, maximum_frames;
    float *memory;
    float line[BL_MAXIMUM_CHANNELS][BL_TEST_LATENCY];
    uint32_t position;
    uint32_t renders, resets, event_count;
    bool in_place, is_latent;
    double sample_rate;
    bl_event *events;
} test_unit;

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    test_unit *unit = calloc(1, sizeof *unit);
    unit->descriptor = descriptor;
    unit->is_latent = descriptor == bl_test_units(BL_TEST_LATENT);
    unit->events = calloc(BL_TEST_MOST_EVENTS, sizeof(bl_event));
    bl_ramp_set(&unit->parameters[FACTOR], 1);
    return (bl_unit *)unit;
}

static void destroy(bl_unit *opaque) {
    test_unit *unit = (test_unit *)opaque;
    free(unit->events);
    free(unit);
}

static void set_parameter(bl_unit *opaque, bl_parameter_address address,
                          float value) BL_NONBLOCKING {
    bl_ramp_set(&((test_unit *)opaque)->parameters[BL_PARAMETER_INDEX(address)], value);
}

static float parameter_value(const bl_unit *opaque, bl_parameter_address address) BL_NONBLOCKING {
    return bl_ramp_value(&((const test_unit *)opaque)->parameters[BL_PARAMETER_INDEX(address)], 0);
}

static bl_status allocate(bl_unit *opaque, const bl_render_configuration *configuration) {
    test_unit *unit = (test_unit *)opaque;
    unit->channel_count = configuration->output_channel_counts[0];
    unit->input_count = configuration->input_bus_count;
    unit->maximum_frames = configuration->maximum_frames;
    unit->sample_rate = configuration->sample_rate;
    unit->memory = calloc((size_t)BL_MAXIMUM_CHANNELS * unit->maximum_frames, sizeof(float));
    return unit->memory != NULL ? BL_OK : BL_ERROR_OUT_OF_MEMORY;
}

static void deallocate(bl_unit *opaque) { free(((test_unit *)opaque)->memory); }

static void reset(bl_unit *opaque) BL_NONBLOCKING { ((test_unit *)opaque)->resets += 1; }

static void receive_event(test_unit *unit, const bl_event *event) BL_NONBLOCKING {
    if (unit->event_count < BL_TEST_MOST_EVENTS) {
        unit->events[unit->event_count] = *event;
        unit->events[unit->event_count++].next = NULL;
    }
    if (event->type <= BL_EVENT_PARAMETER_RAMP) {
        bl_ramp_apply(&unit->parameters[BL_PARAMETER_INDEX(event->parameter.address)], event);
    }
}

static float latent(test_unit *unit, uint32_t channel, uint32_t position,
                    float sample) BL_NONBLOCKING {
    float *slot = &unit->line[channel][position % BL_TEST_LATENCY];
    float late = *slot;
    *slot = sample;
    return late;
}

static bl_status render(bl_unit *opaque, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    test_unit *unit = (test_unit *)opaque;
    (void)bus;
    unit->renders += 1;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        if (output->channels[channel] == NULL) {
            output->channels[channel] = unit->memory + channel * unit->maximum_frames;
        }
    }
    float *pointers[BL_MAXIMUM_CHANNELS];
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        pointers[channel] = output->channels[channel];
    }
    bl_buffers input = {output->channel_count, pointers};
    bool is_sum = unit->descriptor->maximum_input_bus_count > 1;
    if (unit->input_count > 0 && !is_sum) {
        host->pull_input(host->context, flags, timestamp, frames, 0, &input);
        unit->in_place = pointers[0] == output->channels[0];
    }
    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            receive_event(unit, event);
        }
        uint32_t end = segment.first_frame + segment.frame_count;
        for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
            for (uint32_t frame = segment.first_frame; frame < end; frame += 1) {
                float factor =
                    bl_ramp_value(&unit->parameters[FACTOR], frame - segment.first_frame);
                float sample = unit->input_count == 0 ? 1 : is_sum ? 0 : pointers[channel][frame];
                if (unit->is_latent) {
                    sample = latent(unit, channel, unit->position + frame, sample);
                }
                bool fault = unit->parameters[FAULT].target > 0;
                output->channels[channel][frame] = fault ? NAN : sample * factor;
            }
        }
        bl_ramp_advance(&unit->parameters[FACTOR], segment.frame_count);
    }
    for (uint32_t input_bus = 0; is_sum && input_bus < unit->input_count; input_bus += 1) {
        pointers[0] = unit->memory;
        host->pull_input(host->context, flags, timestamp, frames, input_bus, &input);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            output->channels[0][frame] += pointers[0][frame];
        }
    }
    unit->position += frames;
    return BL_OK;
}

static bl_status render_beats(bl_unit *opaque, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, uint32_t bus, bl_buffers *output,
                              const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {
    (void)flags, (void)timestamp, (void)bus, (void)events;
    const test_unit *unit = (const test_unit *)opaque;
    const bl_musical_context *music = host->musical_context;
    bool moves =
        host->transport_state != NULL && (host->transport_state->flags & BL_TRANSPORT_MOVING) != 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double beats = moves ? frame * music->tempo / (60 * unit->sample_rate) : 0;
        output->channels[0][frame] = music != NULL ? (float)(music->beat_position + beats) : -1;
    }
    return BL_OK;
}

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    return ((const test_unit *)unit)->is_latent ? BL_TEST_LATENCY : 0;
}

static const bl_bus_info input = {"input", 1, 0};
static const bl_bus_info numbered = {"1", 1, 0};
static const bl_bus_info output = {"output", 1, 0};
static const bl_channel_capability any_to_any = {-2, -2};
static const bl_parameter_info parameters[] = {
    [FACTOR] = {"factor", NULL, "Factor", BL_UNIT_GENERIC, -10, 10, 1, BL_CURVE_LINEAR,
                BL_PARAMETER_DEFAULT_FLAGS, NULL},
    [FAULT] = {"fault", NULL, "Fault", BL_UNIT_BOOLEAN, 0, 1, 0, BL_CURVE_LINEAR,
               BL_PARAMETER_READABLE | BL_PARAMETER_WRITABLE, NULL},
};

#define TEST_UNIT(SUBTYPE, NAME, FLAGS, INPUT, INPUT_COUNT, MOST_INPUTS, RENDER)                   \
    {                                                                                              \
        .abi_version = BL_ABI_VERSION, .size = sizeof(bl_unit_descriptor),                         \
        .component = {BL_TYPE_EFFECT, SUBTYPE, BL_FOUR_CHARACTER_CODE('t', 'e', 's', 't')},        \
        .name = NAME, .manufacturer_name = "Test", .summary = NAME,                                \
        .flags = (FLAGS) | BL_UNIT_MIDI_INPUT, .input_busses = INPUT,                              \
        .input_bus_count = INPUT_COUNT, .maximum_input_bus_count = MOST_INPUTS,                    \
        .output_busses = &output, .output_bus_count = 1, .channel_capabilities = &any_to_any,      \
        .channel_capability_count = 1, .parameters = parameters,                                   \
        .parameter_count = PARAMETER_COUNT, .create = create, .destroy = destroy,                  \
        .set_parameter = set_parameter, .parameter_value = parameter_value,                        \
        .allocate_render_resources = allocate, .deallocate_render_resources = deallocate,          \
        .reset = reset, .render = RENDER, .latency = latency,                                      \
    }

#define CODE(a, b, c, d) BL_FOUR_CHARACTER_CODE(a, b, c, d)

static const bl_unit_descriptor descriptors[] = {
    [BL_TEST_SCALE] = TEST_UNIT(CODE('s', 'c', 'a', 'l'), "Scale", BL_UNIT_CAN_PROCESS_IN_PLACE,
                                &input, 1, 0, render),
    [BL_TEST_SCALE_APART] =
        TEST_UNIT(CODE('s', 'c', 'a', 'p'), "Scale Apart", 0, &input, 1, 0, render),
    [BL_TEST_PROVIDER] = TEST_UNIT(CODE('p', 'r', 'o', 'v'), "Provider", BL_UNIT_PROVIDES_OUTPUT,
                                   NULL, 0, 0, render),
    [BL_TEST_LATENT] = TEST_UNIT(CODE('l', 'a', 't', 'e'), "Latent", BL_UNIT_CAN_PROCESS_IN_PLACE,
                                 &input, 1, 0, render),
    [BL_TEST_SUM] = TEST_UNIT(CODE('s', 'u', 'm', 'm'), "Sum", 0, &numbered, 1, 128, render),
    [BL_TEST_BEAT] = TEST_UNIT(CODE('b', 'e', 'a', 't'), "Beat", 0, NULL, 0, 0, render_beats),
};

extern const bl_unit_descriptor bl_test_late_unit;

const bl_unit_descriptor *bl_test_units(bl_test_unit which) {
    return which == BL_TEST_LATE ? &bl_test_late_unit : &descriptors[which];
}

uint32_t bl_test_render_count(const bl_unit *unit) { return ((const test_unit *)unit)->renders; }
uint32_t bl_test_reset_count(const bl_unit *unit) { return ((const test_unit *)unit)->resets; }
uint32_t bl_test_event_count(const bl_unit *unit) { return ((const test_unit *)unit)->event_count; }
bl_event bl_test_event(const bl_unit *unit, uint32_t index) {
    return ((const test_unit *)unit)->events[index];
}
bool bl_test_was_in_place(const bl_unit *unit) { return ((const test_unit *)unit)->in_place; }
