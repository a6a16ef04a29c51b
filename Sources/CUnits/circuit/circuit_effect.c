/* A circuit effect. Knobs move at the lines of a grid counted from the reset, in inaudible
   steps. */
#include "circuit/circuit_effect.h"

#include "circuit/circuit_run.h"
#include "dsp/crossfade.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"

/* The time of a knob's full travel, seconds. */
#define TURN_TIME 0.05
/* The highest input, V; no pick-up exceeds it. */
#define LOUDEST 10.0f

/* A stretch of frames between two lines of the grid, and the values that all channels share in
   it. */
typedef struct stretch {
    uint32_t first_frame, frames;
    float level[BL_CIRCUIT_GRID], wet[BL_CIRCUIT_GRID], share[BL_CIRCUIT_GRID];
    bool changes;
} stretch;

/* One block of memory holds the circuits and the channels. */
bl_status bl_circuit_effect_prepare(bl_unit *self) {
    bl_circuit_effect *unit = (bl_circuit_effect *)self;
    uint32_t count = unit->kind->plan_count * BL_CIRCUIT_STAGES;
    size_t channels = unit->base.output_channel_count * sizeof(bl_circuit_channel);
    unit->circuits = bl_kit_memory(self, 1, count * sizeof(bl_circuit) + channels);
    if (unit->circuits == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    unit->channels = (bl_circuit_channel *)(unit->circuits + count);
    for (uint32_t index = 0; index < count; index += 1) {
        const bl_circuit_plan *plan = &unit->kind->plans[index / BL_CIRCUIT_STAGES];
        const bl_part *parts = plan->stages[index % BL_CIRCUIT_STAGES];
        if (parts != NULL) {
            bl_circuit_build(&unit->circuits[index], parts, 8 * unit->base.sample_rate);
        }
    }
    return BL_OK;
}

uint32_t bl_circuit_effect_latency(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return BL_CIRCUIT_LATENCY;
}

double bl_circuit_effect_tail_time(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return 0.5;
}

static uint32_t wanted_model(const bl_circuit_effect *unit) BL_NONBLOCKING {
    return (uint32_t)(unit->base.parameters[BL_CIRCUIT_MODEL].target + 0.5f);
}

static float wanted_knob(const bl_circuit_effect *unit, uint32_t knob) BL_NONBLOCKING {
    return 0.01f * bl_ramp_value(&unit->base.parameters[BL_CIRCUIT_FIRST_KNOB + knob], 0);
}

/* Starts a plan at rest in place `now`, for all channels. */
static void begin_model(bl_circuit_effect *unit) BL_NONBLOCKING {
    bl_circuit_playing *playing = &unit->playing[unit->now];
    const bl_circuit_plan *plan = &unit->kind->plans[unit->model];
    playing->stages = &unit->circuits[unit->model * BL_CIRCUIT_STAGES];
    playing->gain = plan->gain;
    playing->stage_count = 0;
    for (uint32_t stage = 0; stage < BL_CIRCUIT_STAGES && plan->stages[stage] != NULL; stage += 1) {
        bl_circuit_set_knobs(&playing->stages[stage], unit->knobs, &playing->matrices[stage]);
        bl_circuit_state rest;
        bl_circuit_rest(&playing->stages[stage], unit->knobs, &rest);
        for (uint32_t index = 0; index < unit->base.output_channel_count; index += 1) {
            unit->channels[index].states[unit->now][stage] = rest;
        }
        playing->stage_count += 1;
    }
}

void bl_circuit_effect_reset(bl_unit *self) BL_NONBLOCKING {
    bl_circuit_effect *unit = (bl_circuit_effect *)self;
    for (uint32_t index = 0; index < unit->base.output_channel_count; index += 1) {
        unit->channels[index] = (bl_circuit_channel){0};
    }
    for (uint32_t knob = 0; knob < unit->kind->knob_count; knob += 1) {
        unit->knobs[knob] = wanted_knob(unit, knob);
    }
    unit->passed = 0;
    unit->model = wanted_model(unit);
    bl_ramp_set(&unit->changing, 1);
    begin_model(unit);
}

/* Whether the bias must change, in a plan that has one. */
static bool wants_bias(const bl_circuit_effect *unit, uint32_t model) BL_NONBLOCKING {
    uint32_t bias = unit->kind->bias;
    bool has_bias = false;
    for (uint32_t stage = 0; stage < BL_CIRCUIT_STAGES; stage += 1) {
        const bl_circuit *circuit = &unit->circuits[model * BL_CIRCUIT_STAGES + stage];
        for (int index = 0; index < circuit->turned; index += 1) {
            has_bias = has_bias || circuit->turn[index].knob == bias;
        }
    }
    return has_bias && wanted_knob(unit, bias) != unit->knobs[bias];
}

/* At a line of the grid: starts another plan once the last has faded in, and likewise the same plan
   with another bias, whose changing operating point would thump. */
static void follow_model(bl_circuit_effect *unit) BL_NONBLOCKING {
    uint32_t model = wanted_model(unit);
    bool changes = wants_bias(unit, model);
    if (bl_ramp_is_moving(&unit->changing) || (model == unit->model && !changes)) {
        return;
    }
    unit->model = model;
    if (changes) {
        unit->knobs[unit->kind->bias] = wanted_knob(unit, unit->kind->bias);
    }
    unit->now = 1 - unit->now;
    begin_model(unit);
    bl_ramp_set(&unit->changing, 0);
    bl_declick(&unit->changing, 1, unit->base.sample_rate);
}

/* At a line of the grid: moves the circuits' knobs towards their targets. The plan that fades out
   keeps its own. */
static void follow_knobs(bl_circuit_effect *unit) BL_NONBLOCKING {
    float step = (float)((double)BL_CIRCUIT_GRID / (TURN_TIME * unit->base.sample_rate));
    bool turned = false;
    for (uint32_t knob = 0; knob < unit->kind->knob_count; knob += 1) {
        float way = knob == unit->kind->bias ? 0 : wanted_knob(unit, knob) - unit->knobs[knob];
        turned = turned || way != 0;
        way = way < step ? way : step;
        unit->knobs[knob] += way > -step ? way : -step;
    }
    bl_circuit_playing *playing = &unit->playing[unit->now];
    for (uint32_t stage = 0; turned && stage < playing->stage_count; stage += 1) {
        const bl_circuit *circuit = &playing->stages[stage];
        if (circuit->turned == 0) {
            continue;
        }
        bl_circuit_set_knobs(circuit, unit->knobs, &playing->matrices[stage]);
        for (uint32_t index = 0; index < unit->base.output_channel_count; index += 1) {
            bl_circuit_place(circuit, &playing->matrices[stage],
                             &unit->channels[index].states[unit->now][stage]);
        }
    }
}

BL_INLINE void prepare(bl_circuit_effect *unit, stretch *now, uint32_t frames) BL_NONBLOCKING {
    if (unit->passed == 0) {
        follow_model(unit);
        follow_knobs(unit);
    }
    const bl_ramp *parameters = unit->base.parameters;
    now->frames = bl_fewer(frames, BL_CIRCUIT_GRID - unit->passed);
    now->frames = bl_frames_before_end(&unit->changing, now->frames);
    now->changes = bl_ramp_is_moving(&unit->changing);
    bl_decibels_fill(&parameters[BL_CIRCUIT_FIRST_KNOB + unit->kind->knob_count], now->level,
                     now->frames);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->wet[frame] =
            0.01f *
            bl_ramp_value(&parameters[BL_CIRCUIT_FIRST_KNOB + unit->kind->knob_count + 1], frame);
        now->share[frame] = bl_ramp_value(&unit->changing, frame);
    }
}

/* Delays the input of a plan so that, with half a frame for each stage, the latency is whole. The
   taps, between two frames or on one, restore the treble that the mean of two frames loses. */
BL_INLINE void delay(const float *up, uint32_t stage_count, float *to,
                     uint32_t frames) BL_NONBLOCKING {
    const float *from = up + stage_count / 2;
    bool is_between = stage_count % 2 == 1;
    for (uint32_t frame = 0; frame < frames; frame += 1, from += 1) {
        to[frame] = is_between ? 0.625f * (from[1] + from[2]) - 0.125f * (from[0] + from[3])
                               : 1.25f * from[1] - 0.125f * (from[0] + from[2]);
    }
}

/* Plays a channel through a plan, at the high rate. `up` starts BL_CIRCUIT_PAST frames early. */
BL_INLINE void run(const bl_circuit_playing *playing, bl_circuit_state *states, const float *up,
                   float *to, uint32_t frames) BL_NONBLOCKING {
    delay(up, playing->stage_count, to, frames);
    for (uint32_t stage = 0; stage < playing->stage_count; stage += 1) {
        bl_circuit_run(&playing->stages[stage], &playing->matrices[stage], &states[stage], to,
                       frames);
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        to[frame] *= playing->gain;
    }
}

BL_INLINE void process_channel(const bl_circuit_effect *unit, bl_circuit_channel *channel,
                               const stretch *now, const float *from, float *to) BL_NONBLOCKING {
    uint32_t frames = now->frames;
    float dry[BL_CIRCUIT_LATENCY + BL_CIRCUIT_GRID], samples[BL_CIRCUIT_GRID];
    float up[BL_CIRCUIT_PAST + 8 * BL_CIRCUIT_GRID], played[8 * BL_CIRCUIT_GRID];
    memcpy(dry, channel->dry, sizeof channel->dry);
    memcpy(dry + BL_CIRCUIT_LATENCY, from, frames * sizeof(float));
    memcpy(channel->dry, dry + frames, sizeof channel->dry);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float sample = from[frame] < LOUDEST ? from[frame] : LOUDEST;
        samples[frame] = sample > -LOUDEST ? sample : -LOUDEST;
    }
    memcpy(up, channel->past, sizeof channel->past);
    bl_oversample8_up(&channel->oversample8, samples, up + BL_CIRCUIT_PAST, frames);
    memcpy(channel->past, up + 8 * frames, sizeof channel->past);
    run(&unit->playing[unit->now], channel->states[unit->now], up, played, 8 * frames);
    if (now->changes) {
        float before[8 * BL_CIRCUIT_GRID];
        uint32_t other = 1 - unit->now;
        run(&unit->playing[other], channel->states[other], up, before, 8 * frames);
        for (uint32_t frame = 0; frame < 8 * frames; frame += 1) {
            played[frame] = bl_crossfade_mix(before[frame], played[frame], now->share[frame / 8],
                                             BL_CORRELATED);
        }
    }
    bl_oversample8_down(&channel->oversample8, played, samples, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float wet = now->wet[frame];
        to[frame] = now->level[frame] * ((1.0f - wet) * dry[frame] + wet * samples[frame]);
    }
}

BL_VECTOR_CLONES void bl_circuit_effect_process(bl_unit *self, bl_io *io, uint32_t first_frame,
                                                uint32_t frames) BL_NONBLOCKING {
    bl_circuit_effect *unit = (bl_circuit_effect *)self;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        prepare(unit, &now, frames - done);
        uint32_t first = first_frame + done;
        for (uint32_t index = 0; index < unit->base.output_channel_count; index += 1) {
            process_channel(unit, &unit->channels[index], &now, io->input[index] + first,
                            io->output[index] + first);
        }
        bl_ramps_advance(unit->base.parameters, unit->base.descriptor->parameter_count, now.frames);
        bl_ramp_advance(&unit->changing, now.frames);
        unit->passed = (unit->passed + now.frames) % BL_CIRCUIT_GRID;
    }
}
