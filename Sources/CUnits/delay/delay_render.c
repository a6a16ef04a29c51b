/* The sound of the delay. A moved time crossfades from the old place in the line to the new one, so
   that it neither clicks nor bends the pitch. */
#include "delay/delay.h"

/* A stretch of frames, with the values that all channels share. */
typedef struct stretch {
    uint32_t first_frame; /* within the cycle */
    uint32_t frames;
    bool crosses;                     /* is any of `crossing` above 0? */
    float feedback[BL_DELAY_STRETCH]; /* factors */
    float wet[BL_DELAY_STRETCH];      /* share of the echoes in the output */
    float crossing[BL_DELAY_STRETCH]; /* share of ping-pong */
    float incoming[BL_DELAY_STRETCH]; /* share of the head that comes in */
} stretch;

/* Leaves samples within full scale unchanged and bends louder ones, never past 2, so that
   feedback above 100 % comes to rest. */
BL_INLINE float soft_limit(float sample) BL_NONBLOCKING {
    float within = sample < 1.0f ? sample : 1.0f;
    within = within > -1.0f ? within : -1.0f;
    float excess = sample - within;
    excess = excess < 2.0f ? excess : 2.0f;
    excess = excess > -2.0f ? excess : -2.0f;
    float size = excess < 0 ? -excess : excess;
    return within + excess * (1.0f - 0.25f * size);
}

/* Begins a crossfade when the time has moved since the last; while nothing can be heard yet, the
   head just goes there. */
BL_INLINE void follow_time(bl_delay_unit *delay) BL_NONBLOCKING {
    float seconds = bl_delay_seconds(delay);
    if (delay->fade_left > 0 || seconds == delay->head.seconds) {
        return;
    }
    bl_delay_head moved = bl_delay_head_at(seconds, delay->base.sample_rate, &delay->clock);
    if (delay->clock.valid == 0) {
        delay->head = moved;
    } else {
        delay->next = moved;
        delay->fade_left = delay->fade_frames;
    }
}

/* The longest stretch, up to `frames`, in which nothing begins or ends and all is contiguous. */
BL_INLINE uint32_t stretch_frames(bl_delay_unit *delay, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *parameters = delay->base.parameters;
    frames = bl_frames_before_ends(parameters, BL_DELAY_PARAMETER_COUNT,
                                   bl_fewer(frames, BL_DELAY_STRETCH));
    frames = bl_frames_before_end(&delay->crossing, frames);
    frames =
        bl_delay_writable(&delay->clock, bl_delay_readable(&delay->head, &delay->clock, frames));
    if (delay->fade_left > 0) {
        frames = bl_delay_readable(&delay->next, &delay->clock, bl_fewer(frames, delay->fade_left));
    } else if (bl_ramp_is_moving(&parameters[BL_DELAY_TIME])) {
        frames = 1; /* the next frame may want the head elsewhere */
    }
    return bl_one_pole_begin(&delay->tone_clock, &parameters[BL_DELAY_TONE], delay->tone_scale,
                             frames);
}

/* Fills in the values of the stretch. */
BL_INLINE void prepare(const bl_delay_unit *delay, stretch *now) BL_NONBLOCKING {
    const bl_ramp *parameters = delay->base.parameters;
    now->crosses = bl_ramp_is_moving(&delay->crossing) || delay->crossing.target > 0;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->feedback[frame] = bl_ramp_value(&parameters[BL_DELAY_FEEDBACK], frame) * 0.01f;
        now->wet[frame] = bl_ramp_value(&parameters[BL_DELAY_MIX], frame) * 0.01f;
    }
    if (now->crosses) {
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            now->crossing[frame] = bl_ramp_value(&delay->crossing, frame);
        }
    }
    if (delay->fade_left > 0) {
        float share = 1.0f / (float)(int32_t)delay->fade_frames;
        int32_t done = (int32_t)(delay->fade_frames - delay->fade_left);
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            now->incoming[frame] = (float)(done + (int32_t)frame) * share;
        }
    }
}

/* The echoes of one channel: read from the line, crossfaded, darkened. */
BL_INLINE void read_echoes(bl_delay_unit *delay, uint32_t channel, const stretch *now,
                           float *echoes) BL_NONBLOCKING {
    const float *line = delay->lines + (size_t)channel * delay->stride;
    const float *source = bl_delay_read(&delay->head, &delay->clock, line, echoes, now->frames);
    if (delay->fade_left > 0) {
        float scratch[BL_DELAY_STRETCH];
        const float *next = bl_delay_read(&delay->next, &delay->clock, line, scratch, now->frames);
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            float present = source[frame];
            echoes[frame] = present + now->incoming[frame] * (next[frame] - present);
        }
        source = echoes;
    }
    const bl_ramp *tone = &delay->base.parameters[BL_DELAY_TONE];
    bl_one_pole_process(&delay->tones[channel], &delay->tone_clock, tone, delay->tone_scale, source,
                        echoes, now->frames);
}

/* Writes one channel's line and output, each channel for itself. */
BL_INLINE void write_straight(const stretch *now, const float *from, const float *echoes,
                              float *line, float *to) BL_NONBLOCKING {
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float dry = from[frame];
        float echo = echoes[frame];
        line[frame] = dry + soft_limit(now->feedback[frame] * echo);
        to[frame] = (1.0f - now->wet[frame]) * dry + now->wet[frame] * echo;
    }
}

/* The same with ping-pong: the first channel of a pair takes in both, the second takes in nothing,
   and each feeds the other. Call it for the first channel first: its partner's input may lie where
   its partner's output goes. */
BL_INLINE void write_crossing(const stretch *now, const float *from, const float *partner_from,
                              const float *echoes, const float *partner_echoes, float taken,
                              float *line, float *to) BL_NONBLOCKING {
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float dry = from[frame];
        float crossing = now->crossing[frame];
        float both = taken * (dry + partner_from[frame]);
        float in = (1.0f - crossing) * dry + crossing * both;
        float back = (1.0f - crossing) * echoes[frame] + crossing * partner_echoes[frame];
        line[frame] = in + soft_limit(now->feedback[frame] * back);
        to[frame] = (1.0f - now->wet[frame]) * dry + now->wet[frame] * echoes[frame];
    }
}

/* One pair of channels, or the last one alone. */
BL_INLINE void process_pair(bl_delay_unit *delay, uint32_t first, uint32_t channels,
                            const stretch *now, float *const *input,
                            float *const *output) BL_NONBLOCKING {
    float echoes[2][BL_DELAY_STRETCH];
    for (uint32_t side = 0; side < channels; side += 1) {
        read_echoes(delay, first + side, now, echoes[side]);
    }
    for (uint32_t side = 0; side < channels; side += 1) {
        uint32_t channel = first + side;
        float *line = delay->lines + (size_t)channel * delay->stride;
        float *written = line + delay->clock.write;
        const float *from = input[channel] + now->first_frame;
        float *to = output[channel] + now->first_frame;
        if (now->crosses && channels == 2) {
            const float *partner = input[first + 1 - side] + now->first_frame;
            write_crossing(now, from, side == 0 ? partner : from, echoes[side], echoes[1 - side],
                           side == 0 ? 0.5f : 0, written, to);
        } else {
            write_straight(now, from, echoes[side], written, to);
        }
        bl_delay_guard(&delay->clock, line, now->frames);
    }
}

/* Lets the stretch pass. */
BL_INLINE void advance(bl_delay_unit *delay, uint32_t frames) BL_NONBLOCKING {
    bl_ramp *parameters = delay->base.parameters;
    bl_one_pole_advance(&delay->tone_clock, &parameters[BL_DELAY_TONE], frames);
    for (uint32_t index = 0; index < BL_DELAY_PARAMETER_COUNT; index += 1) {
        bl_ramp_advance(&parameters[index], frames);
    }
    bl_ramp_advance(&delay->crossing, frames);
    bl_delay_advance(&delay->clock, frames);
    if (delay->fade_left > 0) {
        delay->fade_left -= frames;
        delay->head = delay->fade_left == 0 ? delay->next : delay->head;
    }
}

BL_VECTOR_CLONES void bl_delay_process(bl_unit *unit, float *const *input, float *const *output,
                                       uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    bl_delay_unit *delay = (bl_delay_unit *)unit;
    uint32_t channels = delay->base.output_channel_count;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        follow_time(delay);
        now.first_frame = first_frame + done;
        now.frames = stretch_frames(delay, frames - done);
        prepare(delay, &now);
        for (uint32_t first = 0; first < channels; first += 2) {
            process_pair(delay, first, bl_fewer(2, channels - first), &now, input, output);
        }
        advance(delay, now.frames);
    }
}
