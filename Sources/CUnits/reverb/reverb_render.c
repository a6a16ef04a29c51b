/* The sound of the reverb. A changed size, type or pre-delay crossfades from the old delays to the
   new ones, without clicks and pitch bends. */
#include "reverb/reverb_scatter.h"

/* The input level at which the ducking starts, and the range above it to full ducking, dB. */
#define DUCK_THRESHOLD (-42.0f)
#define DUCK_RANGE 24.0f

/* Stores the input for the delays, and copies it, as the output may be in the same memory. */
BL_INLINE void read_input(bl_reverb_unit *reverb, bl_reverb_stretch *now,
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

/* Computes the gains of dry and wet; the wet sound ducks when the input's peaks rise. */
BL_INLINE void follow_level(bl_reverb_unit *reverb, bl_reverb_stretch *now) BL_NONBLOCKING {
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
        /* The attack is faster, so that the maximum of both is right on either side. */
        float rising = level + reverb->attack * (peak - level);
        float falling = level + reverb->release * (peak - level);
        level = rising > falling ? rising : falling;
        levels[frame] = level;
    }
    reverb->level = level;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        /* Wet and dry sound are uncorrelated. */
        bl_shares mix = bl_equal_power(bl_ramp_value(&parameters[BL_REVERB_MIX], frame));
        float over = 6.0205999f * bl_log2(levels[frame] + 1e-6f) - DUCK_THRESHOLD;
        over = over > 0 ? over : 0;
        over = over < DUCK_RANGE ? over : DUCK_RANGE;
        float duck = bl_ramp_value(&parameters[BL_REVERB_DUCK], frame);
        now->dry_gain[frame] = mix.dry;
        now->wet_gain[frame] = mix.wet * bl_decibels_to_gain(duck * over * (-1 / DUCK_RANGE));
    }
}

/* The wet sound of one channel: the late part and the first reflections. */
BL_INLINE void gather(const bl_reverb_unit *reverb, const bl_reverb_stretch *now, uint32_t channel,
                      float *BL_RESTRICT wet) BL_NONBLOCKING {
    const bl_ramp *parameters = reverb->base.parameters;
    float early[BL_REVERB_CHUNK] = {0};
    uint32_t ear = channel % 2;
    for (uint32_t index = 0; index < BL_REVERB_REFLECTIONS; index += 1) {
        uint32_t source = channel ^ (index & 1);
        source = source < now->input_channels ? source : now->input_channels - 1;
        bl_reverb_add_delayed(reverb, now,
                              reverb->early_rings + (size_t)source * (reverb->input_mask + 1),
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

/* Widens or narrows a pair of channels, at the same energy, and mixes wet and dry. */
BL_INLINE void put_out(bl_reverb_unit *reverb, const bl_reverb_stretch *now, uint32_t first,
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

/* Starts a crossfade if the delays have changed since the last one. */
BL_INLINE void follow_geometry(bl_reverb_unit *reverb) BL_NONBLOCKING {
    if (reverb->fade.left == 0 && bl_reverb_has_moved(reverb, &reverb->geometry)) {
        bl_reverb_measure(reverb, &reverb->next);
        bl_crossfade_begin(&reverb->fade);
        reverb->lines_moved = true;
    }
}

/* Fills in the length of the stretch, and the weight of the geometry that fades in. */
BL_INLINE void begin(bl_reverb_unit *reverb, bl_reverb_stretch *now,
                     uint32_t frames) BL_NONBLOCKING {
    frames = bl_fewer(frames, BL_REVERB_CHUNK);
    frames = bl_fewer(frames, reverb->geometry.shortest_line);
    frames = bl_fewer(frames, reverb->grid_left);
    frames = bl_frames_before_ends(reverb->base.parameters, BL_REVERB_PARAMETER_COUNT, frames);
    now->fades = reverb->fade.left > 0;
    if (now->fades) {
        frames = bl_fewer(frames, reverb->next.shortest_line);
        frames = bl_crossfade_before_end(&reverb->fade, frames);
        float share = 1 / (float)(int32_t)reverb->fade.frames;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            now->share[frame] = 1 - (float)(int32_t)(reverb->fade.left - frame) * share;
        }
    }
    now->frames = frames;
}

/* A geometry that has faded in changes the tail. */
BL_INLINE void advance(bl_reverb_unit *reverb, const bl_io *io, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < BL_REVERB_PARAMETER_COUNT; index += 1) {
        bl_ramp_advance(&reverb->base.parameters[index], frames);
    }
    bl_ramp_advance(&reverb->open, frames);
    bl_ring_advance(&reverb->clock, frames);
    reverb->grid_left -= frames;
    if (bl_crossfade_advance(&reverb->fade, frames)) {
        reverb->geometry = reverb->next;
        bl_notify_times(io->host, io->time);
    }
}

BL_VECTOR_CLONES void bl_reverb_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                        uint32_t frames) BL_NONBLOCKING {
    bl_reverb_unit *reverb = (bl_reverb_unit *)unit;
    bl_reverb_stretch now;
    now.input_channels = reverb->base.input_channel_count;
    now.output_channels = reverb->base.output_channel_count;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        if (reverb->grid_left == 0) {
            follow_geometry(reverb);
            bl_reverb_aim(reverb);
        }
        begin(reverb, &now, frames - done);
        now.first_frame = first_frame + done;
        read_input(reverb, &now, io->input);
        follow_level(reverb, &now);
        bl_reverb_scatter(reverb, &now);
        bl_reverb_feed(reverb, &now);
        bl_reverb_feed_shimmer(reverb, &now);
        bl_reverb_diffuse(reverb, &now);
        bl_reverb_recirculate(reverb, &now);
        for (uint32_t first = 0; first < now.output_channels; first += 2) {
            put_out(reverb, &now, first, io->output);
        }
        advance(reverb, io, now.frames);
    }
}
