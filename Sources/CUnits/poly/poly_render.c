/* The sound of the poly synth: eight voices at a time at eight times the rate, then their sum at
   the sample rate. */
#include <math.h>

#include "dsp/chunk.h"
#include "dsp/random_value.h"
#include "poly/poly_beats.h"
#include "poly/poly_filter.h"
#include "poly/poly_frame.h"

/* A stretch of frames, with values that all voices share. */
typedef struct stretch {
    uint32_t frames;
    bool moves;      /* some frame differs from the first */
    uint32_t copies; /* audible copies of the oscillators */
    bool wide;       /* the right channel differs from the left */
    uint32_t shapes[BL_POLY_LFOS];
    float ratios[BL_POLY_COPIES]; /* frequency ratios of the copies */
    bl_poly_frame of[BL_POLY_STRETCH];
    /* The sum of all groups, one voice of each in each lane. */
    bl_lanes sums[BL_POLY_STRETCH * BL_POLY_FACTOR][2];
} stretch;

float bl_poly_drift(uint32_t slot, uint32_t oscillator, uint32_t step) BL_NONBLOCKING {
    return bl_random_value(BL_POLY_OSCILLATORS * slot + oscillator, step);
}

/* Sets the next target of all voices' drift. */
static void drift_on(bl_poly_unit *poly) BL_NONBLOCKING {
    poly->drift_step += 1;
    poly->drift_left = (uint32_t)(BL_POLY_DRIFT_TIME * poly->instrument.base.sample_rate);
    for (uint32_t slot = 0; slot < BL_POLY_SLOTS; slot += 1) {
        for (uint32_t index = 0; index < BL_POLY_OSCILLATORS; index += 1) {
            bl_lanes_ramp_start(&poly->groups[slot / BL_LANES].drift[index], slot % BL_LANES,
                                bl_poly_drift(slot, index, poly->drift_step + 1), poly->drift_left);
        }
    }
}

enum {
    SHAPES = BL_POLY_OSCILLATORS * BL_POLY_SHAPE_COUNT,
    GAINS = BL_POLY_COPIES * 2,
};

BL_INLINE void prepare(const bl_poly_unit *poly, stretch *now) BL_NONBLOCKING {
    const bl_ramp *ramps = poly->instrument.base.parameters;
    double rate = poly->instrument.base.sample_rate;
    bl_poly_rates rates = {
        .tuning = (float)log2(440 / (BL_POLY_FACTOR * rate)),
        .hertz = (float)-log2(BL_POLY_FACTOR * rate),
        .sample_rate = (float)rate,
    };
    now->moves = bl_ramps_move(ramps, BL_POLY_PARAMETER_COUNT) ||
                 bl_ramps_move(poly->shape[0], SHAPES) || bl_ramps_move(poly->gains[0], GAINS) ||
                 bl_ramps_move(&poly->synced, 1) ||
                 bl_ramps_move(poly->outputs, BL_POLY_FILTER_OUTPUTS);
    for (uint32_t frame = 0; frame < (now->moves ? now->frames : 1); frame += 1) {
        bl_poly_fill_frame(poly, &rates, frame, &now->of[frame]);
    }
    uint32_t unison = (uint32_t)(ramps[BL_POLY_UNISON].target + 0.5f);
    now->copies = 0;
    now->wide = false;
    for (uint32_t copy = 0; copy < BL_POLY_COPIES; copy += 1) {
        const bl_ramp *gains = poly->gains[copy];
        bool moves = bl_ramps_move(gains, 2);
        if (moves || gains[0].target > 0 || gains[1].target > 0) {
            now->copies = copy + 1;
        }
        now->wide = now->wide || moves || gains[0].target != gains[1].target;
        float place = bl_poly_copy_place(copy, unison);
        now->ratios[copy] = bl_exp2(place * ramps[BL_POLY_DETUNE].target / 1200.0f);
    }
    for (uint32_t lfo = 0; lfo < BL_POLY_LFOS; lfo += 1) {
        now->shapes[lfo] = (uint32_t)(bl_poly_lfo(poly, lfo)[BL_POLY_LFO_SHAPE].target + 0.5f);
    }
    for (uint32_t tick = 0; tick < now->frames * BL_POLY_FACTOR; tick += 1) {
        now->sums[tick][0] = now->sums[tick][1] = 0.0f;
    }
}

/* Adds a frame of eight voices. */
BL_INLINE void add_frame(bl_poly_unit *poly, bl_poly_group *group, const stretch *now,
                         const bl_poly_frame *frame, bl_lanes (*sums)[2]) BL_NONBLOCKING {
    if (bl_lanes_envelope_ends(&group->amplifier)) {
        bl_lanes_envelope_continue(&group->amplifier,
                                   &poly->instrument.base.parameters[BL_POLY_AMPLIFIER]);
    }
    if (bl_lanes_envelope_ends(&group->envelope)) {
        bl_lanes_envelope_continue(&group->envelope,
                                   &poly->instrument.base.parameters[BL_POLY_ENVELOPE]);
    }
    bl_poly_controls controls;
    bl_poly_control(group, frame, now->shapes, &controls);
    bl_poly_ticks sides[2] = {{0}, {0}}, rest = {0};
    bl_poly_add_rest(group, frame, &controls, &rest);
    sides[0] = sides[1] = rest;
    for (uint32_t copy = 0; copy < now->copies; copy += 1) {
        bl_poly_ticks sound;
        bl_poly_add_copy(group, frame, &controls, copy, now->ratios[copy], &sound);
        for (uint32_t tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            sides[0].of[tick] = sides[0].of[tick] + frame->gains[copy][0] * sound.of[tick];
            sides[1].of[tick] = sides[1].of[tick] + frame->gains[copy][1] * sound.of[tick];
        }
    }
    bl_poly_coefficients with;
    bl_poly_tune_filter(frame, &controls.cutoff, &with);
    bl_poly_filter(frame, &with, &group->filter[0], &sides[0]);
    if (group->wide) {
        bl_poly_filter(frame, &with, &group->filter[1], &sides[1]);
    } else {
        sides[1] = sides[0];
    }
    for (uint32_t tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
        sums[tick][0] = sums[tick][0] + controls.levels[0] * sides[0].of[tick];
        sums[tick][1] = sums[tick][1] + controls.levels[1] * sides[1].of[tick];
    }
}

/* Frees the voices that have ended. */
static void free_voices(bl_poly_unit *poly, uint32_t index) BL_NONBLOCKING {
    bl_poly_group *group = &poly->groups[index];
    for (uint32_t lane = 0; lane < BL_LANES; lane += 1) {
        bl_key_voice *voice = &poly->instrument.keys.voices[index * BL_LANES + lane];
        bl_voice_lanes_free(&group->voices, lane, voice,
                            group->amplifier.stages[lane] == BL_LANES_ENDED);
    }
}

BL_INLINE void add_group(bl_poly_unit *poly, uint32_t index, stretch *now) BL_NONBLOCKING {
    bl_poly_group *group = &poly->groups[index];
    if (now->wide && !group->wide) {
        group->filter[1] = group->filter[0];
        group->wide = true;
    }
    const bl_ramp *ramps = poly->instrument.base.parameters;
    bl_lanes_envelope_follow(&group->amplifier, &ramps[BL_POLY_AMPLIFIER]);
    bl_lanes_envelope_follow(&group->envelope, &ramps[BL_POLY_ENVELOPE]);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        add_frame(poly, group, now, &now->of[now->moves ? frame : 0],
                  &now->sums[frame * BL_POLY_FACTOR]);
    }
    free_voices(poly, index);
    group->wide = group->wide && group->voices.active != 0;
}

BL_INLINE void write(bl_poly_unit *poly, const stretch *now, float *const *output,
                     uint32_t first_frame) BL_NONBLOCKING {
    bl_double2 eight[BL_POLY_STRETCH * BL_POLY_FACTOR], one[BL_POLY_STRETCH];
    for (uint32_t tick = 0; tick < now->frames * BL_POLY_FACTOR; tick += 1) {
        eight[tick] = (bl_double2){(double)bl_lanes_sum(&now->sums[tick][0]),
                                   (double)bl_lanes_sum(&now->sums[tick][1])};
    }
    bl_allpass8_down(poly->down, eight, one, now->frames);
    const bl_ramp *level = &poly->instrument.base.parameters[BL_POLY_LEVEL];
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float gain = bl_fader_gain(bl_ramp_value(level, frame));
        float left = (float)one[frame][0] * gain, right = (float)one[frame][1] * gain;
        if (poly->instrument.base.output_channel_count == 1) {
            output[0][first_frame + frame] = 0.5f * (left + right);
        } else {
            output[0][first_frame + frame] = left;
            output[1][first_frame + frame] = right;
        }
    }
}

/* Fills in the steps of LFOs that follow the beats. */
BL_INLINE void keep_to_beats(bl_poly_unit *poly, uint32_t first, stretch *now) BL_NONBLOCKING {
    for (uint32_t lfo = 0; lfo < BL_POLY_LFOS; lfo += 1) {
        if (bl_poly_keeps_to_beats(poly, lfo)) {
            for (uint32_t frame = 1; frame < now->frames && !now->moves; frame += 1) {
                now->of[frame] = now->of[0];
            }
            now->moves = true;
            bl_poly_fill_beats(poly, lfo, first, now->of, now->frames);
        }
    }
}

static void advance(bl_poly_unit *poly, const stretch *now) BL_NONBLOCKING {
    uint32_t frames = now->frames;
    for (uint32_t lfo = 0; lfo < BL_POLY_LFOS; lfo += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            uint32_t before = poly->lfos[lfo];
            poly->lfos[lfo] += now->of[now->moves ? frame : 0].lfo_steps[lfo];
            poly->turns[lfo] += poly->lfos[lfo] < before;
        }
    }
    bl_ramps_advance(poly->instrument.base.parameters, BL_POLY_PARAMETER_COUNT, frames);
    bl_ramps_advance(poly->shape[0], SHAPES, frames);
    bl_ramps_advance(poly->gains[0], GAINS, frames);
    bl_ramps_advance(&poly->synced, 1, frames);
    bl_ramps_advance(poly->outputs, BL_POLY_FILTER_OUTPUTS, frames);
    poly->drift_left -= frames;
    if (poly->drift_left == 0) {
        drift_on(poly);
    }
}

BL_VECTOR_CLONES void bl_poly_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                      uint32_t frames) BL_NONBLOCKING {
    bl_poly_unit *poly = (bl_poly_unit *)unit;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        now.frames = bl_fewer(bl_fewer(frames - done, BL_POLY_STRETCH), poly->drift_left);
        now.frames = bl_frames_before_ends(poly->gains[0], GAINS, now.frames);
        prepare(poly, &now);
        keep_to_beats(poly, first_frame + done, &now);
        for (uint32_t index = 0; index < BL_POLY_GROUPS; index += 1) {
            if (poly->groups[index].voices.active != 0) {
                add_group(poly, index, &now);
            }
        }
        write(poly, &now, io->output, first_frame + done);
        advance(poly, &now);
    }
}
