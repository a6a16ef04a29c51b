#include "deferred_unit.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BUSSES 4
#define MOST_MESSAGES 256

typedef struct deferred_descriptor {
    bl_unit_descriptor outer;
    const bl_unit_descriptor *inner;
} deferred_descriptor;

typedef struct sent_message {
    int64_t sample_time;
    uint8_t cable, length, bytes[3];
} sent_message;

typedef struct bus_memory {
    uint32_t channel_count;
    float *channels[BL_MAXIMUM_CHANNELS];
    bl_status status; /* an input's: returned by the host */
} bus_memory;

typedef struct deferred_unit {
    const bl_unit_descriptor *inner_descriptor;
    bl_unit *inner;
    bl_test_log *log;
    int32_t number;
    uint32_t input_count, output_count, maximum_frames;
    bus_memory inputs[MOST_BUSSES], outputs[MOST_BUSSES];
    sent_message messages[MOST_MESSAGES];
    uint32_t message_count;
    bl_status status;

    bool is_begun, is_ever_begun;
    int64_t sample_time; /* of the rendered cycle */
    const bl_event *events;
    uint32_t faults;
} deferred_unit;

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    deferred_unit *unit = calloc(1, sizeof *unit);
    unit->inner_descriptor = ((const deferred_descriptor *)descriptor)->inner;
    unit->inner = unit->inner_descriptor->create(unit->inner_descriptor);
    unit->sample_time = INT64_MIN;
    return (bl_unit *)unit;
}

static void destroy(bl_unit *opaque) {
    deferred_unit *unit = (deferred_unit *)opaque;
    unit->inner_descriptor->destroy(unit->inner);
    free(unit);
}

static void set_parameter(bl_unit *opaque, bl_parameter_address address,
                          float value) BL_NONBLOCKING {
    const deferred_unit *unit = (const deferred_unit *)opaque;
    unit->inner_descriptor->set_parameter(unit->inner, address, value);
}

static float parameter_value(const bl_unit *opaque, bl_parameter_address address) BL_NONBLOCKING {
    const deferred_unit *unit = (const deferred_unit *)opaque;
    return unit->inner_descriptor->parameter_value(unit->inner, address);
}

static void allocate_busses(bus_memory *busses, uint32_t count, const uint32_t *channel_counts,
                            uint32_t frames) {
    for (uint32_t bus = 0; bus < count; bus += 1) {
        busses[bus].channel_count = channel_counts[bus];
        for (uint32_t channel = 0; channel < channel_counts[bus]; channel += 1) {
            busses[bus].channels[channel] = calloc(frames, sizeof(float));
        }
    }
}

static void free_busses(bus_memory *busses, uint32_t count) {
    for (uint32_t bus = 0; bus < count; bus += 1) {
        for (uint32_t channel = 0; channel < busses[bus].channel_count; channel += 1) {
            free(busses[bus].channels[channel]);
        }
    }
}

static bl_status allocate(bl_unit *opaque, const bl_render_configuration *configuration) {
    deferred_unit *unit = (deferred_unit *)opaque;
    if (configuration->input_bus_count > MOST_BUSSES ||
        configuration->output_bus_count > MOST_BUSSES) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    unit->input_count = configuration->input_bus_count;
    unit->output_count = configuration->output_bus_count;
    unit->maximum_frames = configuration->maximum_frames;
    allocate_busses(unit->inputs, unit->input_count, configuration->input_channel_counts,
                    unit->maximum_frames);
    allocate_busses(unit->outputs, unit->output_count, configuration->output_channel_counts,
                    unit->maximum_frames);
    return unit->inner_descriptor->allocate_render_resources(unit->inner, configuration);
}

static void deallocate(bl_unit *opaque) {
    deferred_unit *unit = (deferred_unit *)opaque;
    free_busses(unit->inputs, unit->input_count);
    free_busses(unit->outputs, unit->output_count);
    unit->inner_descriptor->deallocate_render_resources(unit->inner);
}

static void reset(bl_unit *opaque) BL_NONBLOCKING {
    const deferred_unit *unit = (const deferred_unit *)opaque;
    unit->inner_descriptor->reset(unit->inner);
}

static uint32_t latency(const bl_unit *opaque) BL_NONBLOCKING {
    const deferred_unit *unit = (const deferred_unit *)opaque;
    return unit->inner_descriptor->latency ? unit->inner_descriptor->latency(unit->inner) : 0;
}

static void record(deferred_unit *unit, bool is_begin,
                   const deferred_unit *preceding) BL_NONBLOCKING {
    bl_test_log *log = unit->log;
    if (log != NULL && log->count < BL_TEST_MOST_CALLS) {
        int32_t before = preceding != NULL ? preceding->number : -1;
        log->calls[log->count++] = (bl_test_call){is_begin, unit->number, before};
    }
}

/* Pulls an input bus; `pointers` gets its channels. */
static bl_status pull(const deferred_unit *unit, uint32_t bus, uint32_t flags,
                      const bl_timestamp *timestamp, uint32_t frames, const bl_render_host *host,
                      float **pointers) BL_NONBLOCKING {
    const bus_memory *memory = &unit->inputs[bus];
    for (uint32_t channel = 0; channel < memory->channel_count; channel += 1) {
        pointers[channel] = memory->channels[channel];
    }
    bl_buffers buffers = {memory->channel_count, pointers};
    return host->pull_input(host->context, flags, timestamp, frames, bus, &buffers);
}

static void keep_inputs(deferred_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, const bl_render_host *host,
                        const deferred_unit *preceding) BL_NONBLOCKING {
    for (uint32_t bus = 0; bus < unit->input_count; bus += 1) {
        bus_memory *memory = &unit->inputs[bus];
        float *pointers[BL_MAXIMUM_CHANNELS];
        bool is_direct = preceding != NULL && bus == 0;
        memory->status =
            is_direct ? BL_OK : pull(unit, bus, flags, timestamp, frames, host, pointers);
        for (uint32_t channel = 0; channel < memory->channel_count; channel += 1) {
            const float *samples =
                is_direct ? preceding->outputs[0].channels[channel] : pointers[channel];
            memcpy(memory->channels[channel], samples, frames * sizeof(float));
        }
    }
}

static bl_status give_input(void *context, uint32_t flags, const bl_timestamp *timestamp,
                            uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING {
    (void)flags, (void)timestamp, (void)frames;
    const deferred_unit *unit = context;
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        input->channels[channel] = unit->inputs[bus].channels[channel];
    }
    return unit->inputs[bus].status;
}

static bl_status keep_message(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                              const uint8_t *bytes) BL_NONBLOCKING {
    deferred_unit *unit = context;
    if (length > 3 || unit->message_count == MOST_MESSAGES) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    sent_message *message = &unit->messages[unit->message_count++];
    *message = (sent_message){sample_time, cable, (uint8_t)length, {0}};
    memcpy(message->bytes, bytes, length);
    return BL_OK;
}

static void render_bus(deferred_unit *unit, uint32_t bus, uint32_t flags,
                       const bl_timestamp *timestamp, uint32_t frames, const bl_event *events,
                       const bl_render_host *host) BL_NONBLOCKING {
    const bus_memory *memory = &unit->outputs[bus];
    bool provides = (unit->inner_descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) != 0;
    float *pointers[BL_MAXIMUM_CHANNELS];
    for (uint32_t channel = 0; channel < memory->channel_count; channel += 1) {
        pointers[channel] = provides ? NULL : memory->channels[channel];
    }
    bl_buffers output = {memory->channel_count, pointers};
    bl_render_host own = *host;
    own.inputs = NULL;
    own.context = unit;
    own.pull_input = give_input;
    own.send_midi = keep_message;
    unit->inner_descriptor->render(unit->inner, flags, timestamp, frames, bus, &output, events,
                                   &own);
    for (uint32_t channel = 0; provides && channel < memory->channel_count; channel += 1) {
        memcpy(memory->channels[channel], pointers[channel], frames * sizeof(float));
    }
}

/* Renders the cycle's output busses. */
static void work(deferred_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                 uint32_t frames, uint64_t output_busses, const bl_event *events,
                 const bl_render_host *host, const deferred_unit *preceding) BL_NONBLOCKING {
    keep_inputs(unit, flags, timestamp, frames, host, preceding);
    unit->sample_time = timestamp->sample_time;
    unit->events = events;
    unit->message_count = 0;
    for (uint32_t bus = 0; bus < unit->output_count || bus == 0; bus += 1) {
        if (unit->output_count == 0 || (output_busses >> bus & 1) != 0) {
            render_bus(unit, bus, flags, timestamp, frames, events, host);
            events = NULL;
        }
    }
}

void bl_test_begin_render(bl_unit *opaque, uint32_t flags, const bl_timestamp *timestamp,
                          uint32_t frames, uint64_t output_busses, const bl_event *events,
                          const bl_render_host *host, const bl_unit *preceding) BL_NONBLOCKING {
    deferred_unit *unit = (deferred_unit *)opaque;
    record(unit, true, (const deferred_unit *)preceding);
    unit->faults += unit->is_begun;
    unit->is_begun = true;
    unit->is_ever_begun = true;
    work(unit, flags, timestamp, frames, output_busses, events, host,
         (const deferred_unit *)preceding);
}

/* Whether events and inputs are still the same as at begin_render. */
static bool is_unchanged(const deferred_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                         uint32_t frames, const bl_event *events,
                         const bl_render_host *host) BL_NONBLOCKING {
    bool is_same = events == unit->events;
    for (uint32_t bus = 0; bus < unit->input_count; bus += 1) {
        float *pointers[BL_MAXIMUM_CHANNELS];
        pull(unit, bus, flags, timestamp, frames, host, pointers);
        for (uint32_t channel = 0; channel < unit->inputs[bus].channel_count; channel += 1) {
            is_same = is_same && memcmp(pointers[channel], unit->inputs[bus].channels[channel],
                                        frames * sizeof(float)) == 0;
        }
    }
    return is_same;
}

static void give_out(const bus_memory *memory, bl_buffers *output, bl_status status,
                     uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        if (output->channels[channel] == NULL) {
            output->channels[channel] = memory->channels[channel];
        } else {
            memcpy(output->channels[channel], memory->channels[channel], frames * sizeof(float));
        }
        for (uint32_t frame = 0; status != BL_OK && frame < frames; frame += 1) {
            output->channels[channel][frame] = 1e6f;
        }
    }
}

static bl_status render(bl_unit *opaque, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    deferred_unit *unit = (deferred_unit *)opaque;
    bool is_first = unit->is_begun || unit->sample_time != timestamp->sample_time;
    if (is_first) {
        record(unit, false, NULL);
        if (!unit->is_begun) {
            unit->faults += unit->is_ever_begun;
            work(unit, flags, timestamp, frames, UINT64_MAX, events, host, NULL);
        } else if (unit->status == BL_OK) {
            unit->faults += !is_unchanged(unit, flags, timestamp, frames, events, host);
        }
        for (uint32_t index = 0; index < unit->message_count; index += 1) {
            const sent_message *message = &unit->messages[index];
            if (unit->status == BL_OK) {
                host->send_midi(host->context, message->sample_time, message->cable,
                                message->length, message->bytes);
            }
        }
    }
    unit->is_begun = false;
    if (unit->output_count > 0) {
        give_out(&unit->outputs[bus], output, unit->status, frames);
    }
    return unit->status;
}

bl_unit_descriptor *bl_test_deferred_create(const bl_unit_descriptor *inner) {
    deferred_descriptor *descriptor = calloc(1, sizeof *descriptor);
    if (descriptor == NULL) {
        return NULL;
    }
    descriptor->inner = inner;
    descriptor->outer = *inner;
    descriptor->outer.create = create;
    descriptor->outer.destroy = destroy;
    descriptor->outer.set_parameter = set_parameter;
    descriptor->outer.parameter_value = parameter_value;
    descriptor->outer.allocate_render_resources = allocate;
    descriptor->outer.deallocate_render_resources = deallocate;
    descriptor->outer.reset = reset;
    descriptor->outer.render = render;
    descriptor->outer.wait_until_ready = NULL;
    descriptor->outer.latency = latency;
    descriptor->outer.tail_time = NULL;
    return &descriptor->outer;
}

void bl_test_deferred_destroy(bl_unit_descriptor *descriptor) { free(descriptor); }

void bl_test_deferred_log(bl_unit *opaque, bl_test_log *log, int32_t number) {
    deferred_unit *unit = (deferred_unit *)opaque;
    unit->log = log;
    unit->number = number;
}

void bl_test_deferred_answer(bl_unit *unit, bl_status status) {
    ((deferred_unit *)unit)->status = status;
}

bl_unit *bl_test_deferred_inner(const bl_unit *unit) {
    return ((const deferred_unit *)unit)->inner;
}

uint32_t bl_test_deferred_faults(const bl_unit *unit) {
    return ((const deferred_unit *)unit)->faults;
}
