/* The sound of the overdrive: eight times the rate, through a circuit, and back. Its knobs turn at
   the lines of a grid that is counted from the reset, by so little that it is not heard. */
#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "overdrive/circuit_run.h"
#include "overdrive/overdrive.h"

/* How long a knob's whole way takes. Seconds */
#define TURN_TIME 0.05
/* Volts: no pick-up gives more. */
#define LOUDEST 10.0f

/* A stretch of frames between two lines of the grid, and what all channels share in it. */
typedef struct stretch {
    uint32_t first_frame, frames;
    float level[BL_OVERDRIVE_GRID], wet[BL_OVERDRIVE_GRID], share[BL_OVERDRIVE_GRID];
    bool changes;
} stretch;

static uint32_t wanted_model(const bl_overdrive_unit *unit) BL_NONBLOCKING {
    return (uint32_t)(unit->base.parameters[BL_OVERDRIVE_MODEL].target + 0.5f);
}

static float wanted_knob(const bl_overdrive_unit *unit, uint32_t knob) BL_NONBLOCKING {
    return 0.01f * bl_ramp_value(&unit->base.parameters[BL_OVERDRIVE_DRIVE + knob], 0);
}

/* Puts a circuit at rest into place `now`, for all channels. */
static void begin_model(bl_overdrive_unit *unit) BL_NONBLOCKING {
    bl_overdrive_playing *playing = &unit->playing[unit->now];
    playing->circuit = &unit->circuits[unit->model];
    playing->gain = bl_circuits[unit->model].gain;
    bl_circuit_turn(playing->circuit, unit->knobs, &playing->matrices);
    bl_circuit_state rest;
    bl_circuit_rest(playing->circuit, unit->knobs, &rest);
    for (uint32_t index = 0; index < unit->base.output_channel_count; index += 1) {
        unit->channels[index].states[unit->now] = rest;
    }
}

void bl_overdrive_reset(bl_unit *self) BL_NONBLOCKING {
    bl_overdrive_unit *unit = (bl_overdrive_unit *)self;
    bl_unit_base_finish_ramps(&unit->base);
    for (uint32_t index = 0; index < unit->base.output_channel_count; index += 1) {
        unit->channels[index] = (bl_overdrive_channel){0};
    }
    for (uint32_t knob = 0; knob < BL_KNOB_COUNT; knob += 1) {
        unit->knobs[knob] = wanted_knob(unit, knob);
    }
    unit->passed = 0;
    unit->model = wanted_model(unit);
    bl_ramp_set(&unit->changing, 1);
    begin_model(unit);
}

static bool has_bias(const bl_circuit *circuit) BL_NONBLOCKING {
    bool has = false;
    for (int index = 0; index < circuit->turned; index += 1) {
        has = has || circuit->turn[index].knob == BL_KNOB_BIAS;
    }
    return has;
}

/* At a line of the grid: another circuit begins when the last has come in, and so does the same one
   with another bias, whose working point would thump on its way. */
static void follow_model(bl_overdrive_unit *unit) BL_NONBLOCKING {
    float bias = wanted_knob(unit, BL_KNOB_BIAS);
    uint32_t model = wanted_model(unit);
    bool changes = bias != unit->knobs[BL_KNOB_BIAS] && has_bias(&unit->circuits[model]);
    if (bl_ramp_is_moving(&unit->changing) || (model == unit->model && !changes)) {
        return;
    }
    unit->model = model;
    unit->knobs[BL_KNOB_BIAS] = bias;
    unit->now = 1 - unit->now;
    begin_model(unit);
    bl_ramp_set(&unit->changing, 0);
    bl_declick(&unit->changing, 1, unit->base.sample_rate);
}

/* At a line of the grid: turns the circuit's knobs towards where they should be. The circuit that
   goes out keeps its own. */
static void follow_knobs(bl_overdrive_unit *unit) BL_NONBLOCKING {
    float step = (float)((double)BL_OVERDRIVE_GRID / (TURN_TIME * unit->base.sample_rate));
    bool turned = false;
    for (uint32_t knob = 0; knob < BL_KNOB_BIAS; knob += 1) {
        float way = wanted_knob(unit, knob) - unit->knobs[knob];
        turned = turned || way != 0;
        way = way < step ? way : step;
        unit->knobs[knob] += way > -step ? way : -step;
    }
    if (!turned) {
        return;
    }
    bl_overdrive_playing *playing = &unit->playing[unit->now];
    bl_circuit_turn(playing->circuit, unit->knobs, &playing->matrices);
    for (uint32_t index = 0; index < unit->base.output_channel_count; index += 1) {
        bl_circuit_place(playing->circuit, &playing->matrices,
                         &unit->channels[index].states[unit->now]);
    }
}

BL_INLINE void prepare(bl_overdrive_unit *unit, stretch *now, uint32_t frames) BL_NONBLOCKING {
    if (unit->passed == 0) {
        follow_model(unit);
        follow_knobs(unit);
    }
    const bl_ramp *parameters = unit->base.parameters;
    now->frames = bl_fewer(frames, BL_OVERDRIVE_GRID - unit->passed);
    now->frames = bl_frames_before_end(&unit->changing, now->frames);
    now->changes = bl_ramp_is_moving(&unit->changing);
    bl_decibels_fill(&parameters[BL_OVERDRIVE_LEVEL], now->level, now->frames);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->wet[frame] = 0.01f * bl_ramp_value(&parameters[BL_OVERDRIVE_MIX], frame);
        now->share[frame] = bl_ramp_value(&unit->changing, frame);
    }
}

/* A channel through one of the circuits, at the high rate. */
BL_INLINE void run(const bl_overdrive_playing *playing, bl_circuit_state *state,
                   const float *driven, float *to, uint32_t frames) BL_NONBLOCKING {
    memcpy(to, driven, frames * sizeof(float));
    bl_circuit_run(playing->circuit, &playing->matrices, state, to, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        to[frame] *= playing->gain;
    }
}

/* The input at the high rate, five and a half frames late: with the circuit's half frame that makes
   the latency whole. The taps lift what the circuit's mean of two frames takes from the treble. */
BL_INLINE void rise(bl_overdrive_channel *channel, const float *samples, float *driven,
                    uint32_t frames) BL_NONBLOCKING {
    float up[BL_OVERDRIVE_PAST + 8 * BL_OVERDRIVE_GRID];
    memcpy(up, channel->past, sizeof channel->past);
    bl_oversample8_up(&channel->oversample8, samples, up + BL_OVERDRIVE_PAST, frames);
    memcpy(channel->past, up + 8 * frames, sizeof channel->past);
    for (uint32_t frame = 0; frame < 8 * frames; frame += 1) {
        driven[frame] =
            0.625f * (up[frame + 1] + up[frame + 2]) - 0.125f * (up[frame] + up[frame + 3]);
    }
}

BL_INLINE void process_channel(const bl_overdrive_unit *unit, bl_overdrive_channel *channel,
                               const stretch *now, const float *from, float *to) BL_NONBLOCKING {
    uint32_t frames = now->frames;
    float dry[BL_OVERDRIVE_LATENCY + BL_OVERDRIVE_GRID], samples[BL_OVERDRIVE_GRID];
    float driven[8 * BL_OVERDRIVE_GRID], played[8 * BL_OVERDRIVE_GRID];
    memcpy(dry, channel->dry, sizeof channel->dry);
    memcpy(dry + BL_OVERDRIVE_LATENCY, from, frames * sizeof(float));
    memcpy(channel->dry, dry + frames, sizeof channel->dry);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float sample = from[frame] < LOUDEST ? from[frame] : LOUDEST;
        samples[frame] = sample > -LOUDEST ? sample : -LOUDEST;
    }
    rise(channel, samples, driven, frames);
    run(&unit->playing[unit->now], &channel->states[unit->now], driven, played, 8 * frames);
    if (now->changes) {
        float before[8 * BL_OVERDRIVE_GRID];
        uint32_t other = 1 - unit->now;
        run(&unit->playing[other], &channel->states[other], driven, before, 8 * frames);
        for (uint32_t frame = 0; frame < 8 * frames; frame += 1) {
            played[frame] = before[frame] + now->share[frame / 8] * (played[frame] - before[frame]);
        }
    }
    bl_oversample8_down(&channel->oversample8, played, samples, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float wet = now->wet[frame];
        to[frame] = now->level[frame] * ((1.0f - wet) * dry[frame] + wet * samples[frame]);
    }
}

BL_VECTOR_CLONES void bl_overdrive_process(bl_unit *self, float *const *input, float *const *output,
                                           uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    bl_overdrive_unit *unit = (bl_overdrive_unit *)self;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        prepare(unit, &now, frames - done);
        uint32_t first = first_frame + done;
        for (uint32_t index = 0; index < unit->base.output_channel_count; index += 1) {
            process_channel(unit, &unit->channels[index], &now, input[index] + first,
                            output[index] + first);
        }
        bl_ramps_advance(unit->base.parameters, BL_OVERDRIVE_PARAMETER_COUNT, now.frames);
        bl_ramp_advance(&unit->changing, now.frames);
        unit->passed = (unit->passed + now.frames) % BL_OVERDRIVE_GRID;
    }
}
