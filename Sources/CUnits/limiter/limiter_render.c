/* The limiter's sound.
 *
 * The reduction that each crest needs decays with the release, is held for the longest look-ahead
 * by a sliding maximum, and is smoothed by two moving averages that together are as long as the
 * look-ahead. Each value that they average for the frame of a crest is at least what the crest
 * needs, and so is their average: no crest exceeds the ceiling, and the gain has no corner.
 *
 * In the modes Punch and Soft Clip the release applies only to the part of a reduction beyond 3 or
 * 24 dB. The rest is a dip, which is held only as long as the averages need.
 */
#include <math.h>

#include "dsp/decibels.h"
#include "dsp/gain_computer.h"
#include "dsp/levels.h"
#include "limiter/limiter.h"

/* The margin of crests below the ceiling, dB, since meters differ in the top octave. */
#define MARGIN 0.05f

typedef float chunk[BL_CHUNK_FRAMES];

/* Values that all channels share in a stretch. */
typedef struct stretch {
    uint32_t first_frame; /* offset in the cycle */
    uint32_t frames;
    bl_envelope_paces paces;
    chunk gain;    /* factors */
    chunk ceiling; /* dB */
    chunk link;    /* weight of the loudest channel's level */
    chunk loudest; /* level of the loudest channel */
    chunk dip;     /* part without release, dB */
    chunk weights; /* weights of the look-ahead that fades in */
} stretch;

/* The frames in the averages of a delay. */
BL_INLINE uint32_t averaged(uint32_t delay) BL_NONBLOCKING {
    return delay - BL_TRUE_PEAK_LATENCY + 2;
}

/* The longest stretch, up to `frames`, in which no ramp and no fade ends. */
BL_INLINE uint32_t stretch_frames(limiter_unit *limiter, uint32_t frames) BL_NONBLOCKING {
    float dip = limiter_dip(limiter);
    if (dip != limiter->dip.target) {
        bl_ramp_start(&limiter->dip, dip, limiter->ahead.fade.frames);
    }
    frames = bl_frames_before_ends(limiter->base.parameters, PARAMETER_COUNT,
                                   bl_fewer(frames, BL_CHUNK_FRAMES));
    frames = bl_frames_before_end(&limiter->dip, frames);
    uint32_t delay = limiter_latency((const bl_unit *)limiter);
    /* While another look-ahead fades in, dips are held long enough for any. */
    bool stands = limiter->ahead.fade.left == 0 && limiter->ahead.delay == delay;
    limiter->dip_frames = stands ? averaged(delay) : limiter->held_frames;
    return bl_look_ahead_begin(&limiter->ahead, delay, frames);
}

/* Fills in the parameters' values. */
BL_INLINE void prepare(const limiter_unit *limiter, stretch *now) BL_NONBLOCKING {
    const bl_ramp *ramps = limiter->base.parameters;
    bl_envelope_paces *paces = &now->paces;
    bl_envelope_fill_paces(&ramps[RELEASE], limiter->rate, paces->release, now->frames);
    bl_envelope_fill_automatic(&ramps[AUTO_RELEASE], limiter->rate, paces, now->frames);
    paces->hold = 0;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        paces->attack[frame] = 1;
        now->gain[frame] = bl_decibels_to_gain(bl_ramp_value(&ramps[GAIN], frame));
        now->ceiling[frame] = bl_ramp_value(&ramps[CEILING], frame) - MARGIN;
        now->dip[frame] = bl_ramp_value(&limiter->dip, frame);
        now->link[frame] = 0.01f * bl_ramp_value(&ramps[LINK], frame);
    }
    if (limiter->ahead.fade.left > 0) {
        bl_look_ahead_fill_weights(&limiter->ahead, now->weights, now->frames);
    }
}

/* Applies the input gain, stores the input in its line and reads its true peaks. */
BL_INLINE void listen(limiter_unit *limiter, uint32_t channel, const stretch *now,
                      const float *input, float *levels) BL_NONBLOCKING {
    chunk raised;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        raised[frame] = input[frame] * now->gain[frame];
    }
    float *line = limiter->ahead.lines + (size_t)channel * limiter->ahead.size;
    bl_history_write(line, limiter->ahead.size, limiter->now, raised, now->frames);
    bl_true_peak_read(&limiter->channels[channel].peak, raised, levels, now->frames);
}

/* Converts a channel's levels to the sums of its reductions, dB. */
BL_INLINE void reduce(limiter_unit *limiter, uint32_t channel, const stretch *now,
                      float *levels) BL_NONBLOCKING {
    limiter_channel *state = &limiter->channels[channel];
    float *maxima = limiter->maxima + (size_t)channel * 2 * limiter->maximum_floats;
    chunk dips;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float level = levels[frame] + now->link[frame] * (now->loudest[frame] - levels[frame]);
        float over = bl_gain_to_decibels(level) - now->ceiling[frame];
        over = over < BL_BOX_HIGHEST ? over : BL_BOX_HIGHEST;
        float slow = over - now->dip[frame];
        dips[frame] = over > 0.0f ? over : 0.0f;
        levels[frame] = slow > 0.0f ? slow : 0.0f;
    }
    bl_envelope_follow(&state->envelope, &now->paces, levels, now->frames);
    bl_sliding_maximum(maxima, limiter->maximum_levels, limiter->now, limiter->held_frames, levels,
                       now->frames);
    bl_sliding_maximum(maxima + limiter->maximum_floats, limiter->maximum_levels, limiter->now,
                       limiter->dip_frames, dips, now->frames);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        levels[frame] = levels[frame] > dips[frame] ? levels[frame] : dips[frame];
    }
    bl_box_write(&state->smoother, limiter->sums + (size_t)channel * limiter->sum_count,
                 limiter->sum_count, limiter->now, levels, now->frames);
}

/* Plays a channel, `delay` frames late, with the reduction for this delay. */
BL_INLINE void play(limiter_unit *limiter, uint32_t channel, const stretch *now, uint32_t delay,
                    float *BL_RESTRICT output) BL_NONBLOCKING {
    const float *line = limiter->ahead.lines + (size_t)channel * limiter->ahead.size;
    const uint64_t *sums = limiter->sums + (size_t)channel * limiter->sum_count;
    uint32_t both = averaged(delay);
    chunk reductions;
    bl_history_read(line, limiter->ahead.size, limiter->now - delay, output, now->frames);
    bl_box_read(sums, limiter->sum_count, limiter->now, both / 2, both - both / 2, reductions,
                now->frames);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        output[frame] *= bl_decibels_to_gain(-reductions[frame]);
    }
    bl_ramp *reading = &limiter->base.parameters[GAIN_REDUCTION];
    bl_ramp_set(reading, fmaxf(reading->target, reductions[now->frames - 1]));
}

/* Plays a channel; a changed look-ahead fades in, with a reduction of its own. */
BL_INLINE void play_fading(limiter_unit *limiter, uint32_t channel, const stretch *now,
                           float *BL_RESTRICT output) BL_NONBLOCKING {
    play(limiter, channel, now, limiter->ahead.delay, output);
    if (limiter->ahead.fade.left > 0) {
        chunk next;
        play(limiter, channel, now, limiter->ahead.next, next);
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            output[frame] =
                bl_crossfade_mix(output[frame], next[frame], now->weights[frame], BL_CORRELATED);
        }
    }
}

BL_VECTOR_CLONES
void limiter_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                     uint32_t frames) BL_NONBLOCKING {
    limiter_unit *limiter = (limiter_unit *)unit;
    uint32_t channels = limiter->base.output_channel_count;
    bl_levels levels;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        now.first_frame = first_frame + done;
        now.frames = stretch_frames(limiter, frames - done);
        prepare(limiter, &now);
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            listen(limiter, channel, &now, io->input[channel] + now.first_frame, levels[channel]);
        }
        bl_loudest(levels, channels, now.loudest, now.frames);
        bl_ramp_set(&limiter->base.parameters[GAIN_REDUCTION], 0);
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            reduce(limiter, channel, &now, levels[channel]);
            play_fading(limiter, channel, &now, io->output[channel] + now.first_frame);
        }
        bl_look_ahead_advance(&limiter->ahead, now.frames);
        bl_ramp_advance(&limiter->dip, now.frames);
        bl_ramps_advance(limiter->base.parameters, PARAMETER_COUNT, now.frames);
        limiter->now += now.frames;
    }
}
