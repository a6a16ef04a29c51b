/* Mixer: any number of inputs, each with gain, pan and mute, into one output. */
#include <string.h>

#include "base/built_in.h"
#include "base/effect.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "dsp/pan.h"

enum { PARAMETER_GAIN, PARAMETER_PAN, PARAMETER_MUTE, PARAMETER_MASTER, PARAMETER_COUNT };

#define PER_BUS BL_PARAMETER_PER_INPUT_BUS

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PARAMETER_GAIN] = {"gain", NULL, "Gain", BL_UNIT_DECIBELS, BL_FADER_MINIMUM, 24, 0,
                        BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS | PER_BUS, .overview_rank = 2},
    [PARAMETER_PAN] = {"pan", NULL, "Pan", BL_UNIT_PAN, -1, 1, 0, BL_CURVE_LINEAR,
                       BL_PARAMETER_DEFAULT_FLAGS | PER_BUS, .overview_rank = 3},
    [PARAMETER_MUTE] = {"mute", NULL, "Mute", BL_UNIT_BOOLEAN, 0, 1, 0, BL_CURVE_LINEAR,
                        BL_PARAMETER_STEPPED_FLAGS | PER_BUS, .overview_rank = 4},
    [PARAMETER_MASTER] = {"master", NULL, "Master", BL_UNIT_DECIBELS, BL_FADER_MINIMUM, 24, 0,
                          BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
};

/* One input bus. */
typedef struct mixer_input {
    bl_ramp open;       /* 0 while muted, else 1 */
    bl_pan_gains gains; /* while nothing moves: gain, pan and mute together */
    bool gains_known;   /* false after each change */
    bool connected;     /* this cycle */
    float *channels[2]; /* this cycle's sound */
} mixer_input;

typedef struct mixer_unit {
    bl_unit_base base;
    float *input_memory; /* input busses × 2 × maximum frames: what pull_input is offered. Pages
                            that the host never fills are never touched. */
    float master;        /* while it stands still */
    bool master_known;   /* false after each change */
    mixer_input inputs[BL_MAXIMUM_INPUT_BUSSES];
} mixer_unit;

BL_CREATE(mixer_unit)

static bl_ramp *bus_ramps(const mixer_unit *mixer, uint32_t bus) BL_NONBLOCKING {
    return &mixer->base.parameters[bus * PARAMETER_COUNT];
}

static float open_target(const mixer_unit *mixer, uint32_t bus) BL_NONBLOCKING {
    return bus_ramps(mixer, bus)[PARAMETER_MUTE].target < 0.5f ? 1.0f : 0.0f;
}

static void update_bus(mixer_unit *mixer, uint32_t bus) BL_NONBLOCKING {
    bl_ramp_set(&mixer->inputs[bus].open, open_target(mixer, bus));
    mixer->inputs[bus].gains_known = false;
    mixer->master_known = false;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    mixer_unit *mixer = (mixer_unit *)unit;
    bl_unit_base_finish_ramps(&mixer->base);
    for (uint32_t bus = 0; bus < BL_MAXIMUM_INPUT_BUSSES; bus += 1) {
        update_bus(mixer, bus);
    }
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    mixer_unit *mixer = (mixer_unit *)unit;
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status != BL_OK) {
        return status;
    }
    size_t channels = 2 * (size_t)configuration->input_bus_count;
    mixer->input_memory =
        bl_unit_base_memory(unit, channels * configuration->maximum_frames + 1, sizeof(float));
    if (mixer->input_memory == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    reset(unit);
    return BL_OK;
}

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    uint32_t bus = BL_PARAMETER_INPUT_BUS(address);
    bl_unit_base_set_parameter(unit, address, value);
    if (bus < BL_MAXIMUM_INPUT_BUSSES) {
        update_bus((mixer_unit *)unit, bus);
    }
}

static void apply(mixer_unit *mixer, const bl_event *event) BL_NONBLOCKING {
    if (event->type != BL_EVENT_PARAMETER && event->type != BL_EVENT_PARAMETER_RAMP) {
        return;
    }
    bl_unit_base_apply(&mixer->base, event);
    mixer->master_known = false;
    uint32_t bus = BL_PARAMETER_INPUT_BUS(event->parameter.address);
    if (bus < BL_MAXIMUM_INPUT_BUSSES) {
        bl_declick(&mixer->inputs[bus].open, open_target(mixer, bus), mixer->base.sample_rate);
        mixer->inputs[bus].gains_known = false;
    }
}

/* Asks for every input, before any sound is written: the output may be one of them. */
static bl_status pull_inputs(mixer_unit *mixer, const bl_render_host *host, uint32_t flags,
                             const bl_timestamp *timestamp, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t bus = 0; bus < mixer->base.input_bus_count; bus += 1) {
        mixer_input *input = &mixer->inputs[bus];
        uint32_t channels = mixer->base.ports[bus].channel_count;
        const bl_buffers *ready = host->inputs != NULL ? &host->inputs[bus] : NULL;
        if (ready != NULL && ready->channels != NULL) {
            input->channels[0] = ready->channels[0];
            input->channels[1] = ready->channels[channels - 1];
            input->connected = true;
            continue;
        }
        for (size_t channel = 0; channel < 2; channel += 1) {
            input->channels[channel] =
                mixer->input_memory + (2 * bus + channel) * mixer->base.maximum_frames;
        }
        bl_buffers buffers = {channels, input->channels};
        bl_status status = host->pull_input(host->context, flags, timestamp, frames, bus, &buffers);
        if (status != BL_OK && status != BL_ERROR_NO_CONNECTION) {
            return status;
        }
        input->connected = status == BL_OK;
        if (channels == 1) {
            input->channels[1] = input->channels[0];
        }
    }
    return BL_OK;
}

static bool bus_is_moving(const mixer_unit *mixer, uint32_t bus) BL_NONBLOCKING {
    const bl_ramp *ramps = bus_ramps(mixer, bus);
    return bl_ramp_is_moving(&ramps[PARAMETER_GAIN]) || bl_ramp_is_moving(&ramps[PARAMETER_PAN]) ||
           bl_ramp_is_moving(&mixer->inputs[bus].open);
}

/* A bus's gains at a frame from now. */
BL_INLINE void find_gains(const bl_ramp *gain, const bl_ramp *pan, const bl_ramp *open,
                          uint32_t frame, uint32_t source_channels, uint32_t output_channels,
                          bl_pan_gains *gains) BL_NONBLOCKING {
    float factor = bl_fader_gain(bl_ramp_value(gain, frame)) * bl_ramp_value(open, frame);
    bl_pan(gains, source_channels, output_channels, bl_ramp_value(pan, frame), factor);
}

/* sum += input × factor, or sum = 0 + input × factor where it has not begun. The factors are one a
   frame, or the first for all. */
BL_INLINE void add(float *BL_RESTRICT sum, const float *BL_RESTRICT input, const float *factors,
                   uint32_t step, uint32_t frames, bool has_begun) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sum[frame] = (has_begun ? sum[frame] : 0.0f) + input[frame] * factors[frame * step];
    }
}

/* Sums, output channels × frames, BL_CHUNK_FRAMES at most. */
typedef struct mixer_sums {
    float channels[2][BL_CHUNK_FRAMES];
    bool have_begun; /* otherwise the memory holds anything and means silence */
} mixer_sums;

/* Adds a connected bus's frames from `at` within the cycle, times factors as above. */
BL_INLINE void add_channels(const mixer_unit *mixer, uint32_t bus, mixer_sums *sums, uint32_t at,
                            uint32_t frames, const float *left, const float *right,
                            uint32_t step) BL_NONBLOCKING {
    const mixer_input *input = &mixer->inputs[bus];
    uint32_t outputs = mixer->base.output_channel_count;
    add(sums->channels[0], input->channels[0] + at, left, step, frames, sums->have_begun);
    if (outputs == 2) {
        add(sums->channels[1], input->channels[1] + at, right, step, frames, sums->have_begun);
    } else if (mixer->base.ports[bus].channel_count == 2) {
        add(sums->channels[0], input->channels[1] + at, right, step, frames, true);
    }
    sums->have_begun = true;
}

/* Adds a bus of which a parameter moves. */
static BL_VECTOR_CLONES void add_moving_bus(mixer_unit *mixer, uint32_t bus, mixer_sums *sums,
                                            uint32_t at, uint32_t frames) BL_NONBLOCKING {
    mixer_input *input = &mixer->inputs[bus];
    bl_ramp *ramps = bus_ramps(mixer, bus);
    float left[BL_CHUNK_FRAMES], right[BL_CHUNK_FRAMES];
    bl_ramp gain = ramps[PARAMETER_GAIN], pan = ramps[PARAMETER_PAN], open = input->open;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_pan_gains gains;
        find_gains(&gain, &pan, &open, frame, mixer->base.ports[bus].channel_count,
                   mixer->base.output_channel_count, &gains);
        left[frame] = gains.left;
        right[frame] = gains.right;
    }
    bl_ramp_advance(&ramps[PARAMETER_GAIN], frames);
    bl_ramp_advance(&ramps[PARAMETER_PAN], frames);
    bl_ramp_advance(&input->open, frames);
    input->gains_known = false;
    if (input->connected) {
        add_channels(mixer, bus, sums, at, frames, left, right, 1);
    }
}

/* Adds a bus, and lets the time pass for its parameters. */
BL_INLINE void add_bus(mixer_unit *mixer, uint32_t bus, mixer_sums *sums, uint32_t at,
                       uint32_t frames) BL_NONBLOCKING {
    mixer_input *input = &mixer->inputs[bus];
    if (bus_is_moving(mixer, bus)) {
        add_moving_bus(mixer, bus, sums, at, frames);
        return;
    }
    if (!input->connected) {
        return;
    }
    if (!input->gains_known) {
        const bl_ramp *ramps = bus_ramps(mixer, bus);
        find_gains(&ramps[PARAMETER_GAIN], &ramps[PARAMETER_PAN], &input->open, 0,
                   mixer->base.ports[bus].channel_count, mixer->base.output_channel_count,
                   &input->gains);
        input->gains_known = true;
    }
    add_channels(mixer, bus, sums, at, frames, &input->gains.left, &input->gains.right, 0);
}

/* output = sum × master, the master's factors as above. */
BL_INLINE void finish(const float *BL_RESTRICT sum, float *BL_RESTRICT output, const float *factors,
                      uint32_t step, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[frame] = sum[frame] * factors[frame * step];
    }
}

/* Renders frames without an event inside, a chunk at a time: all inputs are read before the output
   is written, which may be one of them. */
BL_INLINE void mix(mixer_unit *mixer, float *const *output, uint32_t first_frame,
                   uint32_t frames) BL_NONBLOCKING {
    bl_ramp *master = &mixer->base.parameters[PARAMETER_MASTER];
    for (uint32_t done = 0; done < frames; done += BL_CHUNK_FRAMES) {
        uint32_t count = frames - done < BL_CHUNK_FRAMES ? frames - done : BL_CHUNK_FRAMES;
        mixer_sums sums;
        sums.have_begun = false;
        for (uint32_t bus = 0; bus < mixer->base.input_bus_count; bus += 1) {
            add_bus(mixer, bus, &sums, first_frame + done, count);
        }
        if (!sums.have_begun) {
            memset(sums.channels, 0, sizeof sums.channels);
        }
        float factors[BL_CHUNK_FRAMES];
        bool is_moving = bl_ramp_is_moving(master);
        if (is_moving) {
            for (uint32_t frame = 0; frame < count; frame += 1) {
                factors[frame] = bl_fader_gain(bl_ramp_value(master, frame));
            }
            bl_ramp_advance(master, count);
            mixer->master_known = false;
        } else if (!mixer->master_known) {
            mixer->master = bl_fader_gain(master->target);
            mixer->master_known = true;
        }
        BL_FEW_CHANNELS
        for (uint32_t channel = 0; channel < mixer->base.output_channel_count; channel += 1) {
            float *to = output[channel] + first_frame + done;
            if (is_moving) {
                finish(sums.channels[channel], to, factors, 1, count);
            } else {
                finish(sums.channels[channel], to, &mixer->master, 0, count);
            }
        }
    }
}

static BL_VECTOR_CLONES bl_status render(bl_unit *unit, uint32_t flags,
                                         const bl_timestamp *timestamp, uint32_t frames,
                                         uint32_t bus, bl_buffers *output, const bl_event *events,
                                         const bl_render_host *host) BL_NONBLOCKING {
    mixer_unit *mixer = (mixer_unit *)unit;
    bl_status status = bl_render_check(&mixer->base, frames, bus);
    if (status != BL_OK) {
        return status;
    }
    bl_unit_base_provide_output(&mixer->base, output);
    status = pull_inputs(mixer, host, flags, timestamp, frames);
    if (status != BL_OK) {
        return status;
    }
    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            apply(mixer, event);
        }
        mix(mixer, output->channels, segment.first_frame, segment.frame_count);
    }
    return BL_OK;
}

static const char *const tags[] = {"Mixer", "Utility", NULL};
static const bl_bus_info input_busses[] = {{"1", 2, BL_BUS_OPTIONAL}};
static const bl_bus_info output_busses[] = {{"output", 2, 0}};
static const bl_channel_capability capabilities[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}};

const bl_unit_descriptor bl_mixer = {
    BL_BUILT_IN(BL_TYPE_MIXER, 'm', 'i', 'x', 'r'),
    .name = "Mixer",
    .summary = "Adds up any number of inputs, each with gain, pan and mute",
    .flags = BL_UNIT_CAN_PROCESS_IN_PLACE,
    .input_busses = input_busses,
    .input_bus_count = 1,
    .maximum_input_bus_count = BL_MAXIMUM_INPUT_BUSSES,
    .output_busses = output_busses,
    .output_bus_count = 1,
    BL_CHANNEL_CAPABILITIES,
    BL_UNIT_BASE_LIFE,
    .set_parameter = set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .allocate_render_resources = allocate,
};
