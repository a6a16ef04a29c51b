/* Variable Delay: delays by its parameter, frames, or from the next cycle on by its property, and
   notifies the change. With the property “wanders” the delay changes each cycle; with “quietly 300”
   the change to 300 is not notified. Tests also build this file into a bundle, so it includes no
   other file of CTestUnits. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backline/unit.h"

#define LINE 1024

typedef struct late_unit {
    float latency;      /* frames */
    _Atomic int wanted; /* the property's value, frames; below 0 once it is applied */
    _Atomic bool wanders, is_quiet;
    uint32_t channel_count, maximum_frames;
    uint32_t position;
    float *lines; /* channel_count × LINE */
    float *memory;
} late_unit;

static bl_unit *create(const bl_unit_descriptor *descriptor) {
    (void)descriptor;
    late_unit *self = (late_unit *)calloc(1, sizeof(late_unit));
    if (self != NULL) {
        atomic_init(&self->wanted, -1);
    }
    return (bl_unit *)self;
}

static void destroy(bl_unit *unit) { free(unit); }

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    (void)address;
    ((late_unit *)unit)->latency = value;
}

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    (void)index, (void)message, (void)message_size;
    static const char quietly[] = "quietly ";
    bool is_quiet = strncmp(value, quietly, strlen(quietly)) == 0;
    value += is_quiet ? strlen(quietly) : 0;
    bool wanders = strcmp(value, "wanders") == 0;
    atomic_store(&((late_unit *)unit)->is_quiet, is_quiet);
    atomic_store(&((late_unit *)unit)->wanders, wanders);
    atomic_store(&((late_unit *)unit)->wanted, wanders ? 100 : atoi(value));
    return BL_OK;
}

static float parameter_value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    (void)address;
    return ((const late_unit *)unit)->latency;
}

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    return (uint32_t)((const late_unit *)unit)->latency;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    late_unit *self = (late_unit *)unit;
    for (uint32_t index = 0; index < self->channel_count * LINE; index += 1) {
        self->lines[index] = 0;
    }
}

static void deallocate(bl_unit *unit) {
    late_unit *self = (late_unit *)unit;
    free(self->lines);
    free(self->memory);
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    late_unit *self = (late_unit *)unit;
    self->channel_count = configuration->output_channel_counts[0];
    self->maximum_frames = configuration->maximum_frames;
    self->lines = (float *)calloc((size_t)self->channel_count * LINE, sizeof(float));
    self->memory =
        (float *)calloc((size_t)self->channel_count * self->maximum_frames, sizeof(float));
    if (self->lines == NULL || self->memory == NULL) {
        deallocate(unit);
        return BL_ERROR_OUT_OF_MEMORY;
    }
    return BL_OK;
}

static void delay(late_unit *self, const bl_buffers *input, const bl_buffers *output,
                  uint32_t frame) BL_NONBLOCKING {
    uint32_t read = (self->position - latency((const bl_unit *)self)) % LINE;
    for (uint32_t channel = 0; channel < self->channel_count; channel += 1) {
        float *line = self->lines + (size_t)channel * LINE;
        line[self->position % LINE] = input->channels[channel][frame];
        output->channels[channel][frame] = line[read];
    }
    self->position += 1;
}

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    (void)bus;
    late_unit *self = (late_unit *)unit;
    int wanted = atomic_exchange(&self->wanted, -1);
    self->latency = wanted >= 0 ? (float)wanted : self->latency;
    if (atomic_load(&self->wanders)) {
        self->latency = self->latency < 500 ? self->latency + 1 : 100;
    }
    if ((wanted >= 0 || atomic_load(&self->wanders)) && !atomic_load(&self->is_quiet)) {
        bl_notify_times(host, timestamp->sample_time);
    }
    float *pointers[BL_MAXIMUM_CHANNELS];
    for (uint32_t channel = 0; channel < self->channel_count; channel += 1) {
        if (output->channels[channel] == NULL) {
            output->channels[channel] = self->memory + (size_t)channel * self->maximum_frames;
        }
        pointers[channel] = output->channels[channel];
    }
    bl_buffers input = {self->channel_count, pointers};
    host->pull_input(host->context, flags, timestamp, frames, 0, &input);
    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            if (event->type == BL_EVENT_PARAMETER) {
                self->latency = event->parameter.value;
            }
        }
        for (uint32_t frame = 0; frame < segment.frame_count; frame += 1) {
            delay(self, &input, output, segment.first_frame + frame);
        }
    }
    return BL_OK;
}

static const char *const tags[] = {"Effects", NULL};
static const bl_bus_info input_bus = {"input", 1, 0};
static const bl_bus_info output_bus = {"output", 1, 0};
static const bl_parameter_info parameter = {"latency",
                                            NULL,
                                            "Latency",
                                            BL_UNIT_GENERIC,
                                            0,
                                            LINE - 1,
                                            0,
                                            BL_CURVE_LINEAR,
                                            BL_PARAMETER_READABLE | BL_PARAMETER_WRITABLE,
                                            NULL,
                                            NULL,
                                            NULL,
                                            1};

static const bl_property_info property = {"frames", "Frames", 0, 0};

extern const bl_unit_descriptor bl_test_late_unit;
const bl_unit_descriptor bl_test_late_unit = {
    .abi_version = BL_ABI_VERSION,
    .size = sizeof(bl_unit_descriptor),
    .component = {BL_TYPE_EFFECT, BL_FOUR_CHARACTER_CODE('v', 'd', 'l', 'y'),
                  BL_FOUR_CHARACTER_CODE('t', 'e', 's', 't')},
    .version = 0x00010000,
    .name = "Variable Delay",
    .manufacturer_name = "Test",
    .summary = "Is as late as it is told to be",
    .tags = tags,
    .flags = BL_UNIT_CAN_PROCESS_IN_PLACE,
    .input_busses = &input_bus,
    .input_bus_count = 1,
    .maximum_input_bus_count = 1,
    .output_busses = &output_bus,
    .output_bus_count = 1,
    .parameters = &parameter,
    .parameter_count = 1,
    .properties = &property,
    .property_count = 1,
    .set_property = set_property,
    .create = create,
    .destroy = destroy,
    .set_parameter = set_parameter,
    .parameter_value = parameter_value,
    .allocate_render_resources = allocate,
    .deallocate_render_resources = deallocate,
    .reset = reset,
    .render = render,
    .latency = latency,
};
