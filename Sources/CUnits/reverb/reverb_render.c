/* The sound of the reverb. A moved size, type or pre-delay crossfades from the old delays to the
   new ones, so that nothing clicks or bends the pitch. What moves inside is the way in which the
   lines are mixed: pairs of them are turned to and fro, which loses no energy and detunes nothing
   (Schlecht and Habets, "Time-varying feedback matrices in feedback delay networks and their
   application in artificial reverberation", 2015). */
#include "reverb/reverb_absorption.h"
#include "reverb/reverb_shimmer.h"

/* The input level from which the ducking begins, and how far above it is whole. dB */
#define DUCK_THRESHOLD (-42.0f)
#define DUCK_RANGE 24.0f

/* A stretch of frames, with what all channels share. */
typedef struct stretch {
    uint32_t first_frame; /* within the cycle */
    uint32_t frames;
    uint32_t input_channels, output_channels;
    bool fades;
    float outgoing[BL_REVERB_CHUNK], incoming[BL_REVERB_CHUNK]; /* gains of the two geometries */
    float dry[BL_MAXIMUM_CHANNELS][BL_REVERB_CHUNK];
    float wet_gain[BL_REVERB_CHUNK]; /* mix and ducking */
    float dry_gain[BL_REVERB_CHUNK];
    bl_hadamard_channel fresh[BL_REVERB_CHANNELS]; /* of the diffuser */
    bl_hadamard_channel lines[BL_REVERB_LINES];
} stretch;

/* Adds what was `delay` frames ago, and while the delays move also what `next_delay` gives. */
BL_INLINE void add_delayed(const bl_reverb_unit *reverb, const stretch *now, const float *ring,
                           uint32_t mask, const uint32_t delays[2], const float gains[2],
                           float *BL_RESTRICT sum) BL_NONBLOCKING {
    float read[BL_REVERB_CHUNK];
    bl_ring_read(ring, mask, &reverb->clock, delays[0], read, now->frames);
    if (!now->fades) {
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            sum[frame] += gains[0] * read[frame];
        }
        return;
    }
    float next[BL_REVERB_CHUNK];
    bl_ring_read(ring, mask, &reverb->clock, delays[1], next, now->frames);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        sum[frame] += gains[0] * now->outgoing[frame] * read[frame] +
                      gains[1] * now->incoming[frame] * next[frame];
    }
}

/* Reads each of a set of rings into a block. */
BL_INLINE void read_rings(const bl_reverb_unit *reverb, const stretch *now, const float *rings,
                          uint32_t mask, uint32_t count, const uint32_t *delays,
                          const uint32_t *next_delays, bl_hadamard_channel *block) BL_NONBLOCKING {
    for (uint32_t index = 0; index < count; index += 1) {
        const float *ring = rings + (size_t)index * (mask + 1);
        float *BL_RESTRICT to = block[index];
        bl_ring_read(ring, mask, &reverb->clock, delays[index], to, now->frames);
        if (now->fades) {
            float next[BL_REVERB_CHUNK];
            bl_ring_read(ring, mask, &reverb->clock, next_delays[index], next, now->frames);
            for (uint32_t frame = 0; frame < now->frames; frame += 1) {
                to[frame] = now->outgoing[frame] * to[frame] + now->incoming[frame] * next[frame];
            }
        }
    }
}

BL_INLINE void write_rings(const bl_reverb_unit *reverb, const stretch *now, float *rings,
                           uint32_t mask, uint32_t count,
                           bl_hadamard_channel *block) BL_NONBLOCKING {
    for (uint32_t index = 0; index < count; index += 1) {
        bl_ring_write(rings + (size_t)index * (mask + 1), mask, &reverb->clock, block[index],
                      now->frames);
    }
}

/* The sign of an input in a channel of the diffuser: a row of Hadamard's matrix, so that no two are
 * alike. */
BL_INLINE float sign(uint32_t input, uint32_t channel) BL_NONBLOCKING {
    return __builtin_parity(input & channel) != 0 ? -1.0f : 1.0f;
}

/* Adds a sound to the channels of the diffuser, by the signs of input `index`. */
BL_INLINE void add_fresh(stretch *now, uint32_t index,
                         const float *BL_RESTRICT sound) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < BL_REVERB_CHANNELS; channel += 1) {
        float polarity = sign(index, channel);
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            now->fresh[channel][frame] += polarity * sound[frame];
        }
    }
}

/* Adds the shimmer, by signs that no input of a stereo bus has. */
BL_INLINE void feed_shimmer(bl_reverb_unit *reverb, stretch *now) BL_NONBLOCKING {
    if (!bl_shimmer_is_on(reverb)) {
        reverb->shimmer_band = (bl_wet_cut){0};
        return;
    }
    float sides[2][BL_REVERB_CHUNK];
    bl_shimmer_fill(reverb, sides, now->frames);
    for (uint32_t side = 0; side < 2; side += 1) {
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            sides[side][frame] *=
                0.25f * 0.70710678f * reverb->geometry.gain * bl_ramp_value(&reverb->open, frame);
        }
        add_fresh(now, 2 + side, sides[side]);
    }
}

/* Spreads the input over the channels of the diffuser. */
BL_INLINE void feed(bl_reverb_unit *reverb, stretch *now) BL_NONBLOCKING {
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
        add_delayed(reverb, now, ring, reverb->input_mask, delays, gains, input);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            input[frame] *= bl_ramp_value(&reverb->open, frame);
        }
        add_fresh(now, index, input);
    }
}

/* Turns each echo into thousands: delays and orthogonal mixing, four times. */
BL_INLINE void diffuse(bl_reverb_unit *reverb, stretch *now) BL_NONBLOCKING {
    float cosine[BL_REVERB_CHUNK], sine[BL_REVERB_CHUNK];
    const bl_ramp *diffusion = &reverb->base.parameters[BL_REVERB_DIFFUSION];
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float quarter_turns = bl_ramp_value(diffusion, frame) * 0.005f;
        sine[frame] = bl_sine_of_quarter_turns(quarter_turns);
        cosine[frame] = bl_sine_of_quarter_turns(1.0f - quarter_turns);
    }
    uint32_t mask = reverb->diffuser_mask;
    for (uint32_t step = 0; step < BL_REVERB_STEPS; step += 1) {
        float *rings = reverb->diffuser_rings + (size_t)step * BL_REVERB_CHANNELS * (mask + 1);
        write_rings(reverb, now, rings, mask, BL_REVERB_CHANNELS, now->fresh);
        read_rings(reverb, now, rings, mask, BL_REVERB_CHANNELS, reverb->geometry.diffuser[step],
                   reverb->next.diffuser[step], now->fresh);
        bl_hadamard_partly(now->fresh, BL_REVERB_CHANNELS, cosine, sine, now->frames);
    }
}

/* Turns each pair of lines against each other: by the angle of which the half has the tangent t,
   a sine in time, each pair at its own phase. */
BL_INLINE void turn_pairs(bl_reverb_unit *reverb, bl_hadamard_channel *block,
                          uint32_t frames) BL_NONBLOCKING {
    bl_ramp rate = reverb->base.parameters[BL_REVERB_RATE];
    const bl_ramp *depth = &reverb->base.parameters[BL_REVERB_DEPTH];
    uint32_t phases[BL_REVERB_CHUNK];
    bl_phase_fill(&reverb->phase, &rate, reverb->phase_scale, phases, frames);
    if (!bl_ramp_is_moving(depth) && depth->target == 0) {
        return;
    }
    for (uint32_t pair = 0; pair < BL_REVERB_LINES / 2; pair += 1) {
        float *BL_RESTRICT a = block[pair];
        float *BL_RESTRICT b = block[pair + BL_REVERB_LINES / 2];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float t = bl_ramp_value(depth, frame) * 0.01f * bl_sine(phases[frame] + (pair << 28));
            float scale = 1 / (1 + t * t);
            float cosine = (1 - t * t) * scale;
            float sine = 2 * t * scale;
            float first = a[frame];
            float second = b[frame];
            a[frame] = cosine * first - sine * second;
            b[frame] = sine * first + cosine * second;
        }
    }
}

/* One pass: what the lines gave, decayed and mixed, and what is new go into the lines again, and
   are heard: each output hears what goes into a line of its own. */
BL_INLINE void recirculate(bl_reverb_unit *reverb, stretch *now) BL_NONBLOCKING {
    uint32_t frames = now->frames;
    read_rings(reverb, now, reverb->line_rings, reverb->line_mask, BL_REVERB_LINES,
               reverb->geometry.lines, reverb->next.lines, now->lines);
    bl_reverb_decay_lines(reverb, now->lines, frames, reverb->absorption_moves);
    turn_pairs(reverb, now->lines, frames);
    bl_hadamard(now->lines, BL_REVERB_LINES, 0.176776695f, frames);
    for (uint32_t line = 0; line < BL_REVERB_LINES; line += 1) {
        /* Each channel of the diffuser goes into two lines. */
        const float *BL_RESTRICT fresh = now->fresh[line % BL_REVERB_CHANNELS];
        float *BL_RESTRICT to = now->lines[line];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] += 0.70710678f * fresh[frame];
        }
    }
    write_rings(reverb, now, reverb->line_rings, reverb->line_mask, BL_REVERB_LINES, now->lines);
    write_rings(reverb, now, reverb->shimmer_rings, reverb->shimmer_mask, 2, now->lines);
}

/* Keeps the input for the delays, and for itself: the output may lie where it lies. */
BL_INLINE void take_input(bl_reverb_unit *reverb, stretch *now,
                          float *const *input) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < now->input_channels; channel += 1) {
        const float *from = input[channel] + now->first_frame;
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            now->dry[channel][frame] = from[frame];
        }
        float *ring = reverb->input_rings + (size_t)channel * (reverb->input_mask + 1);
        bl_ring_write(ring, reverb->input_mask, &reverb->clock, from, now->frames);
    }
}

/* The gains of dry and wet; the wet sound ducks as the input's peaks rise. */
BL_INLINE void follow_level(bl_reverb_unit *reverb, stretch *now) BL_NONBLOCKING {
    const bl_ramp *parameters = reverb->base.parameters;
    float levels[BL_REVERB_CHUNK];
    float level = reverb->level;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float peak = 0;
        for (uint32_t channel = 0; channel < now->input_channels; channel += 1) {
            float size = now->dry[channel][frame];
            size = size < 0 ? -size : size;
            peak = size > peak ? size : peak;
        }
        level += (peak > level ? reverb->attack : reverb->release) * (peak - level);
        levels[frame] = level;
    }
    reverb->level = level;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float wet = bl_ramp_value(&parameters[BL_REVERB_MIX], frame) * 0.01f;
        float over = 6.0205999f * bl_log2(levels[frame] + 1e-6f) - DUCK_THRESHOLD;
        over = over > 0 ? over : 0;
        over = over < DUCK_RANGE ? over : DUCK_RANGE;
        float duck = bl_ramp_value(&parameters[BL_REVERB_DUCK], frame);
        /* Equal power: wet and dry sound are not alike. */
        now->dry_gain[frame] = bl_sine_of_quarter_turns(1 - wet);
        now->wet_gain[frame] =
            bl_sine_of_quarter_turns(wet) * bl_decibels_to_gain(duck * over * (-1 / DUCK_RANGE));
    }
}

/* The wet sound of one channel: the late part and the first reflections. */
BL_INLINE void gather(const bl_reverb_unit *reverb, const stretch *now, uint32_t channel,
                      float *BL_RESTRICT wet) BL_NONBLOCKING {
    const bl_ramp *parameters = reverb->base.parameters;
    float early[BL_REVERB_CHUNK] = {0};
    uint32_t ear = channel % 2;
    for (uint32_t index = 0; index < BL_REVERB_REFLECTIONS; index += 1) {
        uint32_t source = channel ^ (index & 1);
        source = source < now->input_channels ? source : now->input_channels - 1;
        add_delayed(reverb, now, reverb->input_rings + (size_t)source * (reverb->input_mask + 1),
                    reverb->input_mask,
                    (const uint32_t[]){reverb->geometry.reflections[ear][index],
                                       reverb->next.reflections[ear][index]},
                    (const float[]){reverb->geometry.reflection_gains[ear][index],
                                    reverb->next.reflection_gains[ear][index]},
                    early);
    }
    const float *late = now->lines[channel % BL_REVERB_LINES];
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        wet[frame] =
            bl_fader_gain(bl_ramp_value(&parameters[BL_REVERB_EARLY], frame)) * early[frame] +
            bl_fader_gain(bl_ramp_value(&parameters[BL_REVERB_LATE], frame)) * late[frame];
    }
}

/* Moves the sides of a pair apart or together, at the same energy, and mixes wet and dry. */
BL_INLINE void put_out(bl_reverb_unit *reverb, const stretch *now, uint32_t first,
                       float *const *output) BL_NONBLOCKING {
    float wet[2][BL_REVERB_CHUNK] = {{0}};
    uint32_t channels = bl_fewer(2, now->output_channels - first);
    for (uint32_t side = 0; side < channels; side += 1) {
        gather(reverb, now, first + side, wet[side]);
    }
    const bl_ramp *parameters = reverb->base.parameters;
    bl_wet_cut_process(&reverb->cuts[first / 2], &parameters[BL_REVERB_LOW_CUT],
                       &parameters[BL_REVERB_HIGH_CUT], reverb->base.sample_rate, wet[0], wet[1],
                       now->frames);
    if (channels == 2) {
        const bl_ramp *width = &parameters[BL_REVERB_WIDTH];
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            float side = bl_ramp_value(width, frame) * 0.01f;
            float scale = 0.70710678f * __builtin_sqrtf(1 / (1 + side * side));
            float middle = scale * (wet[0][frame] + wet[1][frame]);
            side *= scale * (wet[0][frame] - wet[1][frame]);
            wet[0][frame] = middle + side;
            wet[1][frame] = middle - side;
        }
    }
    for (uint32_t side = 0; side < channels; side += 1) {
        float *to = output[first + side] + now->first_frame;
        const float *dry = now->dry[bl_fewer(first + side, now->input_channels - 1)];
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            to[frame] = now->dry_gain[frame] * dry[frame] + now->wet_gain[frame] * wet[side][frame];
        }
    }
}

/* Begins a crossfade when the delays have moved since the last. */
BL_INLINE void follow_geometry(bl_reverb_unit *reverb) BL_NONBLOCKING {
    if (reverb->fade_left == 0 && bl_reverb_has_moved(reverb, &reverb->geometry)) {
        bl_reverb_measure(reverb, &reverb->next);
        reverb->fade_left = reverb->fade_frames;
        reverb->lines_moved = true;
    }
}

/* Fills in how long the stretch is, and the gains of the two geometries. */
BL_INLINE void begin(bl_reverb_unit *reverb, stretch *now, uint32_t frames) BL_NONBLOCKING {
    frames = bl_fewer(frames, BL_REVERB_CHUNK);
    frames = bl_fewer(frames, reverb->geometry.shortest_line);
    frames = bl_fewer(frames, reverb->grid_left);
    frames = bl_frames_before_ends(reverb->base.parameters, BL_REVERB_PARAMETER_COUNT, frames);
    now->fades = reverb->fade_left > 0;
    if (now->fades) {
        frames = bl_fewer(frames, reverb->next.shortest_line);
        frames = bl_fewer(frames, reverb->fade_left);
        float share = 1 / (float)(int32_t)reverb->fade_frames;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float left = (float)(int32_t)(reverb->fade_left - frame) * share;
            now->outgoing[frame] = bl_sine_of_quarter_turns(left);
            now->incoming[frame] = bl_sine_of_quarter_turns(1 - left);
        }
    } else if (bl_ramp_is_moving(&reverb->base.parameters[BL_REVERB_SIZE]) ||
               bl_ramp_is_moving(&reverb->base.parameters[BL_REVERB_PRE_DELAY])) {
        frames = 1; /* the next frame may want other delays */
    }
    now->frames = frames;
}

BL_INLINE void advance(bl_reverb_unit *reverb, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < BL_REVERB_PARAMETER_COUNT; index += 1) {
        bl_ramp_advance(&reverb->base.parameters[index], frames);
    }
    bl_ramp_advance(&reverb->open, frames);
    bl_ring_advance(&reverb->clock, frames);
    reverb->grid_left -= frames;
    if (reverb->fade_left > 0) {
        reverb->fade_left -= frames;
        if (reverb->fade_left == 0) {
            reverb->geometry = reverb->next;
        }
    }
}

BL_VECTOR_CLONES void bl_reverb_process(bl_unit *unit, float *const *input, float *const *output,
                                        uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    bl_reverb_unit *reverb = (bl_reverb_unit *)unit;
    stretch now;
    now.input_channels = reverb->base.input_channel_counts[0];
    now.output_channels = reverb->base.output_channel_count;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        follow_geometry(reverb);
        if (reverb->grid_left == 0) {
            bl_reverb_aim(reverb);
        }
        begin(reverb, &now, frames - done);
        now.first_frame = first_frame + done;
        take_input(reverb, &now, input);
        follow_level(reverb, &now);
        feed(reverb, &now);
        feed_shimmer(reverb, &now);
        diffuse(reverb, &now);
        recirculate(reverb, &now);
        for (uint32_t first = 0; first < now.output_channels; first += 2) {
            put_out(reverb, &now, first, output);
        }
        advance(reverb, now.frames);
    }
}
