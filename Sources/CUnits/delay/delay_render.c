/* The sound of the delay. */
#include "delay/delay_head.h"
#include "delay/delay_loop.h"
#include "delay/delay_reverse.h"
#include "dsp/log2.h"

/* Ducking follows the input's peaks with these times. Seconds */
#define DUCK_ATTACK 0.005
#define DUCK_RELEASE 0.25

/* A stretch of frames, with the values that all channels share. */
typedef struct stretch {
    uint32_t first_frame; /* within the cycle */
    uint32_t frames;
    bl_delay_places places;
    bool crosses;                     /* is any of `crossing` above 0? */
    float feedback[BL_DELAY_STRETCH]; /* factors */
    float dry[BL_DELAY_STRETCH];      /* share of the input in the output */
    float wet[BL_DELAY_STRETCH];      /* share of the echoes */
    float crossing[BL_DELAY_STRETCH]; /* share of ping-pong */
    float incoming[BL_DELAY_STRETCH]; /* share of the place that fades in */
} stretch;

/* The longest stretch, up to `frames`, in which nothing begins or ends. */
BL_INLINE uint32_t stretch_frames(bl_delay_unit *delay, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *parameters = delay->base.parameters;
    frames = bl_frames_before_ends(parameters, BL_DELAY_PARAMETER_COUNT,
                                   bl_fewer(frames, BL_DELAY_STRETCH));
    frames = bl_delay_stretch(delay, bl_delay_part_left(delay, frames));
    frames = bl_one_pole_begin(&delay->tone_clock, &parameters[BL_DELAY_TONE], delay->tone_scale,
                               frames);
    return bl_one_pole_begin(&delay->cut_clock, &parameters[BL_DELAY_LOW_CUT], delay->tone_scale,
                             frames);
}

/* Turns the echoes down while the input is loud: by nothing up to -50 dBFS, by all of `duck` from
   -20 dBFS on, and evenly between. */
BL_INLINE void duck(bl_delay_unit *delay, float *const *input, stretch *now) BL_NONBLOCKING {
    const bl_ramp *depth = &delay->base.parameters[BL_DELAY_DUCK];
    if (!bl_ramp_is_moving(depth) && depth->target <= 0) {
        return;
    }
    float attack = (float)(1 / (DUCK_ATTACK * delay->base.sample_rate));
    float release = (float)(1 / (DUCK_RELEASE * delay->base.sample_rate));
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float peak = 1e-10f;
        for (uint32_t channel = 0; channel < delay->base.output_channel_count; channel += 1) {
            float sample = input[channel][now->first_frame + frame];
            peak = sample > peak ? sample : -sample > peak ? -sample : peak;
        }
        float away = peak - delay->loudness;
        delay->loudness += (away > 0 ? attack : release) * away;
        float decibels = 6.0205999f * bl_log2(delay->loudness + 1e-10f);
        float share = (decibels + 50) * (1.0f / 30);
        share = share > 0 ? share : 0;
        share = share < 1 ? share : 1;
        now->wet[frame] *= bl_decibels_to_gain(-bl_ramp_value(depth, frame) * share);
    }
}

/* Fills in the values of the stretch. */
BL_INLINE void prepare(bl_delay_unit *delay, float *const *input, stretch *now) BL_NONBLOCKING {
    const bl_ramp *parameters = delay->base.parameters;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->feedback[frame] = bl_ramp_value(&parameters[BL_DELAY_FEEDBACK], frame) * 0.01f;
        float wet = bl_ramp_value(&parameters[BL_DELAY_MIX], frame) * 0.01f;
        float level = bl_decibels_to_gain(bl_ramp_value(&parameters[BL_DELAY_LEVEL], frame));
        now->wet[frame] = level * wet;
        now->dry[frame] = level * (1.0f - wet);
        now->crossing[frame] = bl_ramp_value(&parameters[BL_DELAY_PING_PONG], frame);
    }
    now->crosses = bl_ramp_is_moving(&parameters[BL_DELAY_PING_PONG]) ||
                   parameters[BL_DELAY_PING_PONG].target > 0;
    float share = 1.0f / (float)(int32_t)delay->fade_frames;
    int32_t done = (int32_t)(delay->fade_frames - delay->fade_left);
    for (uint32_t frame = 0; delay->fade_left > 0 && frame < now->frames; frame += 1) {
        now->incoming[frame] = (float)(done + (int32_t)frame) * share;
    }
    duck(delay, input, now);
}

/* What a line has at `part` of these places. */
BL_INLINE void read_line(const bl_delay_unit *delay, const float *line, bool moves,
                         const double *places, double place, double part, float *samples,
                         uint32_t frames) BL_NONBLOCKING {
    if (!moves) {
        bl_moddelay_copy(&delay->clock, line, (uint32_t)(part * place), samples, frames);
        return;
    }
    double parts[BL_DELAY_STRETCH];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double back = part * places[frame];
        parts[frame] = back > BL_MODDELAY_SHORTEST ? back : BL_MODDELAY_SHORTEST;
    }
    bl_moddelay_read(&delay->clock, &delay->sinc, line, parts, samples, frames);
}

/* What a head at `part` of the delay reads from the line, crossfaded. */
BL_INLINE void read_head(const bl_delay_unit *delay, const float *line, const stretch *now,
                         double part, float *samples) BL_NONBLOCKING {
    read_line(delay, line, now->places.move, now->places.present, delay->head.value, part, samples,
              now->frames);
    if (delay->fade_left > 0) {
        float next[BL_DELAY_STRETCH];
        read_line(delay, line, now->places.move, now->places.next, delay->next, part, next,
                  now->frames);
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            samples[frame] += now->incoming[frame] * (next[frame] - samples[frame]);
        }
    }
}

/* The echoes of one channel: those of the last head, which go round again, and those of all. */
BL_INLINE void read_echoes(bl_delay_unit *delay, uint32_t channel, const stretch *now,
                           float *echoes, float *all) BL_NONBLOCKING {
    const float *line = delay->lines + (size_t)channel * bl_moddelay_floats(&delay->clock);
    bl_delay_loop *loop = &delay->loops[channel];
    read_head(delay, line, now, 1, echoes);
    if (bl_delay_reverses(delay)) {
        bl_delay_reverse(delay, line, echoes, now->frames);
    }
    bl_delay_filter(delay, &loop->last, echoes, now->frames);
    memcpy(all, echoes, now->frames * sizeof(float));
    if (bl_delay_first_head(delay) == 1) {
        loop->early = (bl_delay_filters){0};
        return;
    }
    float early[BL_DELAY_STRETCH] = {0}, head_echoes[BL_DELAY_STRETCH];
    for (uint32_t head = 0; head < BL_DELAY_EARLY_HEADS; head += 1) {
        if (!bl_delay_has_head(delay, head)) {
            continue;
        }
        const bl_ramp *level = &delay->base.parameters[BL_DELAY_QUARTER_HEAD + head];
        read_head(delay, line, now, 0.25 * (1 + head), head_echoes);
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            early[frame] += bl_ramp_value(level, frame) * 0.01f * head_echoes[frame];
        }
    }
    bl_delay_filter(delay, &loop->early, early, now->frames);
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        all[frame] += early[frame];
    }
}

/* What goes back into the line, and what comes in: with ping-pong the first channel of a pair takes
   in both, the second takes in nothing, and each feeds the other. `partner_from` may be NULL. */
BL_INLINE void cross(const stretch *now, const float *from, const float *partner_from,
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

BL_INLINE void keep(const stretch *now, const float *from, const float *echoes, float *back,
                    float *in) BL_NONBLOCKING {
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        in[frame] = from[frame];
        back[frame] = now->feedback[frame] * echoes[frame];
    }
}

/* One pair of channels, or the last one alone. The first channel goes first: its partner's input
   may lie where its partner's output goes. */
BL_INLINE void process_pair(bl_delay_unit *delay, uint32_t first, uint32_t channels,
                            const stretch *now, float *const *input,
                            float *const *output) BL_NONBLOCKING {
    float echoes[2][BL_DELAY_STRETCH], all[2][BL_DELAY_STRETCH];
    float back[BL_DELAY_STRETCH], in[BL_DELAY_STRETCH];
    for (uint32_t side = 0; side < channels; side += 1) {
        read_echoes(delay, first + side, now, echoes[side], all[side]);
    }
    for (uint32_t side = 0; side < channels; side += 1) {
        uint32_t channel = first + side;
        bl_delay_loop *loop = &delay->loops[channel];
        const float *from = input[channel] + now->first_frame;
        float *to = output[channel] + now->first_frame;
        if (now->crosses && channels == 2) {
            const float *partner = side == 0 ? input[first + 1] + now->first_frame : NULL;
            cross(now, from, partner, echoes[side], echoes[1 - side], back, in);
        } else {
            keep(now, from, echoes[side], back, in);
        }
        bl_delay_limit(delay, loop, back, now->frames);
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            to[frame] = now->dry[frame] * from[frame] + now->wet[frame] * all[side][frame];
            back[frame] += in[frame];
        }
        bl_delay_drive(&delay->base.parameters[BL_DELAY_DRIVE], loop, back, now->frames);
        bl_moddelay_write(&delay->clock,
                          delay->lines + (size_t)channel * bl_moddelay_floats(&delay->clock), back,
                          now->frames);
    }
}

/* Lets the stretch pass. */
BL_INLINE void advance(bl_delay_unit *delay, uint32_t frames) BL_NONBLOCKING {
    bl_ramp *parameters = delay->base.parameters;
    if (!bl_ramp_is_moving(&parameters[BL_DELAY_TIME])) {
        delay->unrest -= bl_fewer(delay->unrest, frames);
    }
    bl_one_pole_advance(&delay->tone_clock, &parameters[BL_DELAY_TONE], frames);
    bl_one_pole_advance(&delay->cut_clock, &parameters[BL_DELAY_LOW_CUT], frames);
    for (uint32_t index = 0; index < BL_DELAY_PARAMETER_COUNT; index += 1) {
        if (index != BL_DELAY_WOBBLE_RATE) { /* bl_delay_move's */
            bl_ramp_advance(&parameters[index], frames);
        }
    }
    delay->into += frames;
    bl_moddelay_advance(&delay->clock, frames);
    if (delay->fade_left > 0) {
        delay->fade_left -= frames;
        delay->head.value = delay->fade_left == 0 ? delay->next : delay->head.value;
    }
}

BL_VECTOR_CLONES void bl_delay_process(bl_unit *unit, float *const *input, float *const *output,
                                       uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    bl_delay_unit *delay = (bl_delay_unit *)unit;
    uint32_t channels = delay->base.output_channel_count;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        bl_delay_follow(delay);
        if (bl_delay_reverses(delay) && delay->into >= delay->part) {
            bl_delay_next_part(delay);
        }
        now.first_frame = first_frame + done;
        now.frames = stretch_frames(delay, frames - done);
        bl_delay_move(delay, &now.places, now.frames);
        prepare(delay, input, &now);
        for (uint32_t first = 0; first < channels; first += 2) {
            process_pair(delay, first, bl_fewer(2, channels - first), &now, input, output);
        }
        advance(delay, now.frames);
    }
}
