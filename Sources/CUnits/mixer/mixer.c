/* Mixer: any number of inputs, each with gain, pan and mute, into one output. */
#include <string.h>

#include "base/effect.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "dsp/pan.h"

enum { MOST_BUSSES = 128 };
enum { GAIN, PAN, MUTE, MASTER, PARAMETER_COUNT };

#define PER_BUS BL_PARAMETER_PER_INPUT_BUS

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [GAIN] = BL_PARAMETER_ROW("gain", "Gain", DECIBELS, LINEAR, BL_FADER_MINIMUM, 24, 0,
                              BL_PARAMETER_DEFAULT_FLAGS | PER_BUS, 2),
    [PAN] = BL_PARAMETER_ROW("pan", "Pan", PAN, LINEAR, -1, 1, 0,
                             BL_PARAMETER_DEFAULT_FLAGS | PER_BUS, 3),
    [MUTE] = BL_PARAMETER_ROW("mute", "Mute", BOOLEAN, LINEAR, 0, 1, 0,
                              BL_PARAMETER_STEPPED_FLAGS | PER_BUS, 4),
    [MASTER] = BL_KNOB("master", "Master", DECIBELS, LINEAR, BL_FADER_MINIMUM, 24, 0, 1),
};

/* One input bus. */
typedef struct mixer_input {
    bl_ramp open;       /* 0 while muted, else 1 */
    bl_pan_gains gains; /* gain, pan and mute together while none moves */
    bool gains_known;   /* false after each change */
} mixer_input;

typedef struct mixer_unit {
    bl_unit_base base;
    float master;      /* factor while it rests */
    bool master_known; /* false after each change */
    mixer_input inputs[MOST_BUSSES];
} mixer_unit;

static bl_ramp *bus_ramps(const mixer_unit *mixer, uint32_t bus) BL_NONBLOCKING {
    return &mixer->base.parameters[bus * PARAMETER_COUNT];
}

static float open_target(const mixer_unit *mixer, uint32_t bus) BL_NONBLOCKING {
    return bus_ramps(mixer, bus)[MUTE].target < 0.5f ? 1.0f : 0.0f;
}

static void follow_bus(mixer_unit *mixer, uint32_t bus, bool at_once) BL_NONBLOCKING {
    bl_switch(&mixer->inputs[bus].open, open_target(mixer, bus), mixer->base.sample_rate, at_once);
    mixer->inputs[bus].gains_known = false;
    mixer->master_known = false;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    for (uint32_t bus = 0; bus < MOST_BUSSES; bus += 1) {
        follow_bus((mixer_unit *)unit, bus, true);
    }
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    uint32_t bus = BL_PARAMETER_INPUT_BUS(event->parameter.address);
    bl_kit_apply(unit, event);
    if (bus < MOST_BUSSES) {
        follow_bus((mixer_unit *)unit, bus, io == NULL);
    }
}

static bool bus_is_moving(const mixer_unit *mixer, uint32_t bus) BL_NONBLOCKING {
    const bl_ramp *ramps = bus_ramps(mixer, bus);
    return bl_ramp_is_moving(&ramps[GAIN]) || bl_ramp_is_moving(&ramps[PAN]) ||
           bl_ramp_is_moving(&mixer->inputs[bus].open);
}

/* A bus's gains at a frame from now. */
BL_INLINE void find_gains(const bl_ramp *gain, const bl_ramp *pan, const bl_ramp *open,
                          uint32_t frame, uint32_t source_channels, uint32_t output_channels,
                          bl_pan_gains *gains) BL_NONBLOCKING {
    float factor = bl_fader_gain(bl_ramp_value(gain, frame)) * bl_ramp_value(open, frame);
    bl_pan(gains, source_channels, output_channels, bl_ramp_value(pan, frame), factor);
}

/* Computes sum += input × factor, or sum = input × factor the first time. The factors: one per
   frame, or the first for all. */
BL_INLINE void add(float *BL_RESTRICT sum, const float *BL_RESTRICT input, const float *factors,
                   uint32_t step, uint32_t frames, bool has_begun) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sum[frame] = (has_begun ? sum[frame] : 0.0f) + input[frame] * factors[frame * step];
    }
}

/* The sums, output channels × frames, BL_CHUNK_FRAMES at most. */
typedef struct mixer_sums {
    float channels[2][BL_CHUNK_FRAMES];
    bool have_begun; /* false: the memory is undefined and means silence */
} mixer_sums;

/* Adds a connected bus's frames from `at` in the cycle, times factors as above. */
BL_INLINE void add_channels(const bl_buffers *input, uint32_t outputs, mixer_sums *sums,
                            uint32_t at, uint32_t frames, const float *left, const float *right,
                            uint32_t step) BL_NONBLOCKING {
    const float *first = input->channels[0] + at;
    const float *last = input->channels[input->channel_count - 1] + at;
    add(sums->channels[0], first, left, step, frames, sums->have_begun);
    if (outputs == 2) {
        add(sums->channels[1], last, right, step, frames, sums->have_begun);
    } else if (input->channel_count == 2) {
        add(sums->channels[0], last, right, step, frames, true);
    }
    sums->have_begun = true;
}

/* Adds a bus with a moving parameter. */
static BL_VECTOR_CLONES void add_moving_bus(mixer_unit *mixer, const bl_buffers *buffers,
                                            uint32_t bus, mixer_sums *sums, uint32_t at,
                                            uint32_t frames) BL_NONBLOCKING {
    mixer_input *input = &mixer->inputs[bus];
    bl_ramp *ramps = bus_ramps(mixer, bus);
    float left[BL_CHUNK_FRAMES], right[BL_CHUNK_FRAMES];
    bl_ramp gain = ramps[GAIN], pan = ramps[PAN], open = input->open;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_pan_gains gains;
        find_gains(&gain, &pan, &open, frame, mixer->base.ports[bus].channel_count,
                   mixer->base.output_channel_count, &gains);
        left[frame] = gains.left;
        right[frame] = gains.right;
    }
    bl_ramp_advance(&ramps[GAIN], frames);
    bl_ramp_advance(&ramps[PAN], frames);
    bl_ramp_advance(&input->open, frames);
    input->gains_known = false;
    if (buffers->channels != NULL) {
        add_channels(buffers, mixer->base.output_channel_count, sums, at, frames, left, right, 1);
    }
}

/* Adds a bus, and advances its parameters. */
BL_INLINE void add_bus(mixer_unit *mixer, const bl_buffers *buffers, uint32_t bus, mixer_sums *sums,
                       uint32_t at, uint32_t frames) BL_NONBLOCKING {
    mixer_input *input = &mixer->inputs[bus];
    if (bus_is_moving(mixer, bus)) {
        add_moving_bus(mixer, buffers, bus, sums, at, frames);
        return;
    }
    if (buffers->channels == NULL) {
        return;
    }
    if (!input->gains_known) {
        const bl_ramp *ramps = bus_ramps(mixer, bus);
        find_gains(&ramps[GAIN], &ramps[PAN], &input->open, 0, mixer->base.ports[bus].channel_count,
                   mixer->base.output_channel_count, &input->gains);
        input->gains_known = true;
    }
    add_channels(buffers, mixer->base.output_channel_count, sums, at, frames, &input->gains.left,
                 &input->gains.right, 0);
}

/* Computes output = sum × master, the master's factors as above. */
BL_INLINE void finish(const float *BL_RESTRICT sum, float *BL_RESTRICT output, const float *factors,
                      uint32_t step, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[frame] = sum[frame] * factors[frame * step];
    }
}

/* Renders by chunks: all inputs are read before the output is written, which may be one of them. */
BL_INLINE void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                       uint32_t frames) BL_NONBLOCKING {
    mixer_unit *mixer = (mixer_unit *)unit;
    bl_ramp *master = &mixer->base.parameters[MASTER];
    for (uint32_t done = 0; done < frames; done += BL_CHUNK_FRAMES) {
        uint32_t count = frames - done < BL_CHUNK_FRAMES ? frames - done : BL_CHUNK_FRAMES;
        mixer_sums sums;
        sums.have_begun = false;
        for (uint32_t bus = 0; bus < mixer->base.input_bus_count; bus += 1) {
            add_bus(mixer, &io->inputs[bus], bus, &sums, first_frame + done, count);
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
            float *to = io->output[channel] + first_frame + done;
            if (is_moving) {
                finish(sums.channels[channel], to, factors, 1, count);
            } else {
                finish(sums.channels[channel], to, &mixer->master, 0, count);
            }
        }
    }
}

BL_VECTOR_KIT(mixer_unit, .process = process, .change = change, .reset = reset)

static const bl_bus_info input_busses[] = {{"1", 2, BL_BUS_OPTIONAL}};
static const bl_bus_info output_busses[] = {{"output", 2, 0}};
static const bl_channel_capability capabilities[] = {{1, 1}, {1, 2}, {2, 1}, {2, 2}};

const bl_unit_descriptor bl_mixer = {
    BL_BUILT_IN(BL_TYPE_MIXER, 'm', 'i', 'x', 'r'),
    .name = "Mixer",
    BL_TAGS("Mixer", "Utility"),
    .summary = "Adds up any number of inputs, each with gain, pan and mute",
    .flags = BL_UNIT_CAN_PROCESS_IN_PLACE,
    .input_busses = input_busses,
    .input_bus_count = 1,
    .maximum_input_bus_count = MOST_BUSSES,
    .output_busses = output_busses,
    .output_bus_count = 1,
    BL_CHANNEL_CAPABILITIES,
};
