/* The late sound of the reverb: the diffuser and the lines that feed each other. The modulation is
   in the mixing of the lines: pairs of them are rotated to and fro, which loses no energy and
   detunes nothing (Schlecht and Habets, "Time-varying feedback matrices in feedback delay networks
   and their application in artificial reverberation", 2015). */
#pragma once

#include "reverb/reverb_absorption.h"
#include "reverb/reverb_shimmer.h"

/* A stretch of frames, with values that all channels share. */
typedef struct bl_reverb_stretch {
    uint32_t first_frame; /* offset in the cycle */
    uint32_t frames;
    uint32_t input_channels, output_channels;
    bool fades;
    float share[BL_REVERB_CHUNK]; /* weight of the geometry that fades in */
    float dry[BL_MAXIMUM_CHANNELS][BL_REVERB_CHUNK];
    float wet_gain[BL_REVERB_CHUNK]; /* gain by mix and ducking */
    float dry_gain[BL_REVERB_CHUNK];
    bl_hadamard_channel fresh[BL_REVERB_CHANNELS]; /* channels of the diffuser */
    bl_hadamard_channel lines[BL_REVERB_LINES];
} bl_reverb_stretch;

/* Adds a ring's sound of `delay` frames ago, and while the delays move also that of `next_delay`:
   at equal power, as two delays give uncorrelated sounds and there is no feedback here. A constant
   delay only follows its new gain. */
BL_INLINE void bl_reverb_add_delayed(const bl_reverb_unit *reverb, const bl_reverb_stretch *now,
                                     const float *ring, uint32_t mask, const uint32_t delays[2],
                                     const float gains[2], float *BL_RESTRICT sum) BL_NONBLOCKING {
    if (!now->fades) {
        bl_ring_add(ring, mask, &reverb->clock, delays[0], gains[0], sum, now->frames);
        return;
    }
    float read[BL_REVERB_CHUNK], next[BL_REVERB_CHUNK];
    bl_ring_read(ring, mask, &reverb->clock, delays[0], read, now->frames);
    if (delays[0] == delays[1]) {
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            sum[frame] += (gains[0] + now->share[frame] * (gains[1] - gains[0])) * read[frame];
        }
        return;
    }
    bl_ring_read(ring, mask, &reverb->clock, delays[1], next, now->frames);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float share = now->share[frame];
        sum[frame] += gains[0] * bl_sine_of_quarter_turns(1 - share) * read[frame] +
                      gains[1] * bl_sine_of_quarter_turns(share) * next[frame];
    }
}

/* Reads each of a set of rings into a block. They are in a feedback loop, so a fade between two
   delays is linear: shares that sum to 1 never gain, however many passes a sound makes, while equal
   power gains 3 dB on correlated sounds. */
BL_INLINE void bl_reverb_read_rings(const bl_reverb_unit *reverb, const bl_reverb_stretch *now,
                                    const float *rings, uint32_t mask, uint32_t count,
                                    const uint32_t *delays, const uint32_t *next_delays,
                                    bl_hadamard_channel *block) BL_NONBLOCKING {
    for (uint32_t index = 0; index < count; index += 1) {
        const float *ring = rings + (size_t)index * (mask + 1);
        float *BL_RESTRICT to = block[index];
        bl_ring_read(ring, mask, &reverb->clock, delays[index], to, now->frames);
        if (now->fades && delays[index] != next_delays[index]) {
            float next[BL_REVERB_CHUNK];
            bl_ring_read(ring, mask, &reverb->clock, next_delays[index], next, now->frames);
            for (uint32_t frame = 0; frame < now->frames; frame += 1) {
                to[frame] =
                    bl_crossfade_mix(to[frame], next[frame], now->share[frame], BL_CORRELATED);
            }
        }
    }
}

BL_INLINE void bl_reverb_write_rings(const bl_reverb_unit *reverb, const bl_reverb_stretch *now,
                                     float *rings, uint32_t mask, uint32_t count,
                                     bl_hadamard_channel *block) BL_NONBLOCKING {
    for (uint32_t index = 0; index < count; index += 1) {
        bl_ring_write(rings + (size_t)index * (mask + 1), mask, &reverb->clock, block[index],
                      now->frames);
    }
}

/* The sign of an input in a channel of the diffuser: by rows of Hadamard's matrix, so that no two
   inputs are alike. */
BL_INLINE float bl_reverb_sign(uint32_t input, uint32_t channel) BL_NONBLOCKING {
    return __builtin_parity(input & channel) != 0 ? -1.0f : 1.0f;
}

/* Adds a sound to the channels of the diffuser, with the signs of input `index`. */
BL_INLINE void bl_reverb_add_fresh(bl_reverb_stretch *now, uint32_t index,
                                   const float *BL_RESTRICT sound) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < BL_REVERB_CHANNELS; channel += 1) {
        float polarity = bl_reverb_sign(index, channel);
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            now->fresh[channel][frame] += polarity * sound[frame];
        }
    }
}

/* Adds the shimmer, with signs that no input of a stereo bus has. */
BL_INLINE void bl_reverb_feed_shimmer(bl_reverb_unit *reverb,
                                      bl_reverb_stretch *now) BL_NONBLOCKING {
    if (!bl_shimmer_is_on(reverb)) {
        if (reverb->vocoder.time > 0) {
            bl_shimmer_empty(reverb);
        }
        return;
    }
    float shifted[BL_REVERB_CHUNK];
    bl_shimmer_fill(reverb, shifted, now->frames);
    float gain = 0.25f * reverb->geometry.gain;
    float change = now->fades ? 0.25f * reverb->next.gain - gain : 0;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float fading = now->fades ? now->share[frame] * change : 0;
        shifted[frame] *= (gain + fading) * bl_ramp_value(&reverb->open, frame);
    }
    bl_reverb_add_fresh(now, 2, shifted);
}

/* Spreads the input over the channels of the diffuser. */
BL_INLINE void bl_reverb_feed(bl_reverb_unit *reverb, bl_reverb_stretch *now) BL_NONBLOCKING {
    uint32_t frames = now->frames;
    float share = 0.25f * __builtin_sqrtf(1 / (float)(int32_t)now->input_channels);
    const uint32_t delays[] = {reverb->geometry.pre_delay_frames, reverb->next.pre_delay_frames};
    const float gains[] = {share * reverb->geometry.gain, share * reverb->next.gain};
    for (uint32_t channel = 0; channel < BL_REVERB_CHANNELS; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            now->fresh[channel][frame] = 0;
        }
    }
    for (uint32_t index = 0; index < now->input_channels; index += 1) {
        float input[BL_REVERB_CHUNK] = {0};
        const float *ring = reverb->input_rings + (size_t)index * (reverb->input_mask + 1);
        bl_reverb_add_delayed(reverb, now, ring, reverb->input_mask, delays, gains, input);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            input[frame] *= bl_ramp_value(&reverb->open, frame);
        }
        bl_reverb_add_fresh(now, index, input);
    }
}

/* Fills in the rotation angle of the diffusion: 0 to an eighth of a turn. */
BL_INLINE void bl_reverb_fill_angle(const bl_reverb_unit *reverb, float *cosine, float *sine,
                                    uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *diffusion = &reverb->base.parameters[BL_REVERB_DIFFUSION];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float quarter_turns = bl_ramp_value(diffusion, frame) * 0.005f;
        sine[frame] = bl_sine_of_quarter_turns(quarter_turns);
        cosine[frame] = bl_sine_of_quarter_turns(1.0f - quarter_turns);
    }
}

/* Turns each echo into thousands: delays and orthogonal mixing, four times. */
BL_INLINE void bl_reverb_diffuse(bl_reverb_unit *reverb, bl_reverb_stretch *now) BL_NONBLOCKING {
    float cosine[BL_REVERB_CHUNK], sine[BL_REVERB_CHUNK];
    bl_reverb_fill_angle(reverb, cosine, sine, now->frames);
    uint32_t mask = reverb->diffuser_mask;
    for (uint32_t step = 0; step < BL_REVERB_STEPS; step += 1) {
        float *rings = reverb->diffuser_rings + (size_t)step * BL_REVERB_CHANNELS * (mask + 1);
        bl_reverb_write_rings(reverb, now, rings, mask, BL_REVERB_CHANNELS, now->fresh);
        bl_reverb_read_rings(reverb, now, rings, mask, BL_REVERB_CHANNELS,
                             reverb->geometry.diffuser[step], reverb->next.diffuser[step],
                             now->fresh);
        bl_hadamard_partly(now->fresh, BL_REVERB_CHANNELS, cosine, sine, now->frames);
    }
}

/* Rotates each pair of lines by the angle whose half has the tangent t, a sine in time, each pair
   with its own phase. */
BL_INLINE void bl_reverb_turn_pairs(bl_reverb_unit *reverb, bl_hadamard_channel *block,
                                    uint32_t frames) BL_NONBLOCKING {
    bl_ramp rate = reverb->base.parameters[BL_REVERB_RATE];
    const bl_ramp *depth = &reverb->base.parameters[BL_REVERB_DEPTH];
    uint32_t phases[BL_REVERB_CHUNK];
    bl_phase_fill(&reverb->phase, &rate, reverb->phase_scale, phases, frames);
    if (!bl_ramp_is_moving(depth) && depth->target == 0) {
        return;
    }
    float depths[BL_REVERB_CHUNK];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        depths[frame] = bl_ramp_value(depth, frame) * 0.01f;
    }
    for (uint32_t pair = 0; pair < BL_REVERB_LINES / 4; pair += 1) {
        float *BL_RESTRICT a = block[pair];
        float *BL_RESTRICT b = block[pair + BL_REVERB_LINES / 2];
        /* Half a turn later the sine has the opposite sign. */
        float *BL_RESTRICT c = block[pair + BL_REVERB_LINES / 4];
        float *BL_RESTRICT d = block[pair + BL_REVERB_LINES * 3 / 4];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float t = depths[frame] * bl_sine(phases[frame] + (pair << 28));
            float scale = 1 / (1 + t * t);
            float cosine = (1 - t * t) * scale;
            float sine = 2 * t * scale;
            float first = a[frame], second = b[frame];
            a[frame] = cosine * first - sine * second;
            b[frame] = sine * first + cosine * second;
            float third = c[frame], fourth = d[frame];
            c[frame] = cosine * third + sine * fourth;
            d[frame] = cosine * fourth - sine * third;
        }
    }
}

/* Computes one pass: the lines' output, decayed and mixed, and the new sound are the lines' input,
   and are heard: each output hears the input of a line of its own. */
BL_INLINE void bl_reverb_recirculate(bl_reverb_unit *reverb,
                                     bl_reverb_stretch *now) BL_NONBLOCKING {
    uint32_t frames = now->frames;
    bl_reverb_read_rings(reverb, now, reverb->line_rings, reverb->line_mask, BL_REVERB_LINES,
                         reverb->geometry.lines, reverb->next.lines, now->lines);
    bl_reverb_decay_lines(reverb, now->lines, frames, reverb->absorption_moves);
    bl_reverb_turn_pairs(reverb, now->lines, frames);
    bl_hadamard(now->lines, BL_REVERB_LINES, 0.176776695f, frames);
    for (uint32_t line = 0; line < BL_REVERB_LINES; line += 1) {
        /* Each channel of the diffuser feeds two lines. */
        const float *BL_RESTRICT fresh = now->fresh[line % BL_REVERB_CHANNELS];
        float *BL_RESTRICT to = now->lines[line];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] += 0.70710678f * fresh[frame];
        }
    }
    bl_reverb_write_rings(reverb, now, reverb->line_rings, reverb->line_mask, BL_REVERB_LINES,
                          now->lines);
    float late[BL_REVERB_CHUNK];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        late[frame] = 0.70710678f * (now->lines[0][frame] + now->lines[1][frame]);
    }
    bl_ring_write(reverb->shimmer_ring, BL_REVERB_SHIMMER_MASK, &reverb->clock, late, frames);
}
