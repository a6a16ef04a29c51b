/* The sound of the delay. */
#include "delay/delay_diffusion.h"
#include "delay/delay_echoes.h"

/* The longest stretch, up to `frames`, in which nothing starts or ends. */
BL_INLINE uint32_t stretch_frames(bl_delay_unit *delay, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *parameters = delay->base.parameters;
    frames = bl_frames_before_ends(parameters, PARAMETER_COUNT, bl_fewer(frames, BL_DELAY_STRETCH));
    frames = bl_delay_stretch(delay, bl_delay_part_left(delay, frames));
    frames = bl_one_pole_begin(&delay->tone_clock, &parameters[TONE], delay->tone_scale, frames);
    return bl_one_pole_begin(&delay->cut_clock, &parameters[LOW_CUT], delay->tone_scale, frames);
}

/* Adds the feedback and the input: with ping-pong the first channel of a pair gets both inputs, the
   second none, and each feeds the other. `partner_from` may be NULL. */
BL_INLINE void cross(const bl_delay_values *now, const float *from, const float *partner_from,
                     const float *echoes, const float *partner_echoes, float *back,
                     float *in) BL_NONBLOCKING {
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float crossing = now->crossing[frame];
        float both = partner_from != NULL ? 0.5f * (from[frame] + partner_from[frame]) : 0;
        in[frame] = (1.0f - crossing) * from[frame] + crossing * both;
        back[frame] = (1.0f - crossing) * echoes[frame] + crossing * partner_echoes[frame];
        back[frame] *= now->feedback[frame];
    }
}

BL_INLINE void keep(const bl_delay_values *now, const float *from, const float *echoes, float *back,
                    float *in) BL_NONBLOCKING {
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        in[frame] = from[frame];
        back[frame] = now->feedback[frame] * echoes[frame];
    }
}

/* Writes a frozen line: the heads' output is written back unchanged, and nothing else. */
BL_INLINE void hold(const bl_delay_values *now, const float *raw, const float *partner_raw,
                    float *back) BL_NONBLOCKING {
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float crossing = now->crossing[frame], frozen = now->frozen[frame];
        float held = (1.0f - crossing) * raw[frame] + crossing * partner_raw[frame];
        back[frame] = (1.0f - frozen) * back[frame] + frozen * held;
    }
}

/* Processes a pair of channels, or a single last one. The first channel goes first: its partner's
   input may be in the memory of its partner's output. */
BL_INLINE void process_pair(bl_delay_unit *delay, uint32_t first, uint32_t channels,
                            const bl_delay_values *now, float *const *input,
                            float *const *output) BL_NONBLOCKING {
    bl_delay_echoes echoes[2];
    float back[BL_DELAY_STRETCH], in[BL_DELAY_STRETCH];
    for (uint32_t side = 0; side < channels; side += 1) {
        bl_delay_read_echoes(delay, first + side, now, &echoes[side]);
    }
    bool crosses = now->crosses && channels == 2;
    for (uint32_t side = 0; side < channels; side += 1) {
        uint32_t channel = first + side;
        bl_delay_loop *loop = &delay->loops[channel];
        const bl_delay_echoes *own = &echoes[side], *other = &echoes[crosses ? 1 - side : side];
        const float *from = input[channel] + now->first_frame;
        float *to = output[channel] + now->first_frame;
        if (crosses) {
            const float *partner = side == 0 ? input[first + 1] + now->first_frame : NULL;
            cross(now, from, partner, own->last, other->last, back, in);
        } else {
            keep(now, from, own->last, back, in);
        }
        bl_delay_limit(delay, loop, back, now->frames);
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            to[frame] = now->dry[frame] * from[frame] + now->wet[frame] * own->heard[frame];
            back[frame] += in[frame];
        }
        if (now->diffuses) {
            bl_delay_diffuse(delay, channel, back, now->frames);
        }
        bl_delay_drive(&delay->base.parameters[DRIVE], loop, back, now->frames);
        if (now->freezes) {
            hold(now, own->raw, other->raw, back);
        }
        bl_moddelay_write(&delay->clock,
                          delay->lines + (size_t)channel * bl_moddelay_floats(&delay->clock), back,
                          now->frames);
    }
}

/* Advances by the stretch. */
BL_INLINE void advance(bl_delay_unit *delay, const bl_delay_values *now) BL_NONBLOCKING {
    uint32_t frames = now->frames;
    bl_ramp *parameters = delay->base.parameters;
    if (!bl_ramp_is_moving(&parameters[TIME])) {
        delay->frames_until_steady -= bl_fewer(delay->frames_until_steady, frames);
    }
    bl_one_pole_advance(&delay->tone_clock, &parameters[TONE], frames);
    bl_one_pole_advance(&delay->cut_clock, &parameters[LOW_CUT], frames);
    for (uint32_t index = 0; index < PARAMETER_COUNT; index += 1) {
        if (index != WOBBLE_RATE) { /* bl_delay_move advances this one */
            bl_ramp_advance(&parameters[index], frames);
        }
    }
    delay->into += frames;
    bl_moddelay_advance(&delay->clock, frames);
    bl_delay_diffused(delay, now->diffuses, frames);
    if (bl_crossfade_advance(&delay->fade, frames)) {
        delay->head.value = delay->next;
    }
}

BL_VECTOR_CLONES void bl_delay_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                       uint32_t frames) BL_NONBLOCKING {
    bl_delay_unit *delay = (bl_delay_unit *)unit;
    uint32_t channels = delay->base.output_channel_count;
    bl_delay_values now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        bl_delay_follow(delay);
        bl_delay_follow_parts(delay);
        now.first_frame = first_frame + done;
        now.frames = stretch_frames(delay, frames - done);
        bl_delay_move(delay, &now.places, now.frames);
        bl_delay_prepare(delay, io->input, &now);
        for (uint32_t first = 0; first < channels; first += 2) {
            process_pair(delay, first, bl_fewer(2, channels - first), &now, io->input, io->output);
        }
        advance(delay, &now);
    }
}
