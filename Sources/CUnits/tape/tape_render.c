/* The sound of the tape: drive, magnetisation at eight times the rate, removal of the mean, hiss,
   playback head, and uneven delay. */
#include <string.h>

#include "dsp/crossfade.h"
#include "dsp/decibels.h"
#include "dsp/lfo.h"
#include "tape/tape.h"

enum { STRETCH = BL_OVERSAMPLE8_STRETCH, HIGH = 8 * STRETCH };

/* The frequency below which the magnetisation is removed, Hz. */
#define MEAN_FREQUENCY 5.0
/* The fastest change of the depth of wow and flutter, frames per frame. */
#define FASTEST 0.2

/* A stretch of frames, with values that all channels share. */
typedef struct stretch {
    uint32_t first_frame; /* offset in the cycle */
    uint32_t frames;
    float drive[STRETCH]; /* gain from the sound to the field */
    float back[STRETCH];  /* gain from the magnetisation to the sound, including the output's */
    double reversible[STRETCH]; /* c */
    float hiss[STRETCH];        /* gain of the noise */
    double delays[STRETCH];     /* frames */
    double still;               /* pace of the mean, per frame */
} stretch;

/* Writes the next frames of an oscillator's part of the delay. */
BL_INLINE void add_delays(bl_tape_unit *unit, bl_phase *phase, bl_glide *depth,
                          const bl_ramp *percent, const bl_ramp *rate, double *delays,
                          uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float hertz = bl_ramp_value(rate, frame);
        double target = bl_tape_depth(bl_ramp_value(percent, frame), hertz, unit->base.sample_rate);
        double now = bl_glide_step(depth, target, unit->glide_rate, FASTEST);
        delays[frame] += now * (1 + bl_lfo_sine(bl_phase_top(*phase)));
        *phase += bl_phase_increment(hertz, unit->phase_scale);
    }
}

BL_INLINE void prepare(bl_tape_unit *unit, stretch *now) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    uint32_t frames = now->frames;
    float output[STRETCH];
    bl_decibels_fill(&ramps[DRIVE], now->drive, frames);
    bl_decibels_fill(&ramps[OUTPUT], output, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        now->drive[frame] *= BL_TAPE_FIELD;
        now->back[frame] = 3.0f * output[frame] / now->drive[frame];
        now->reversible[frame] = BL_TAPE_UNBIASED + (BL_TAPE_BIASED - BL_TAPE_UNBIASED) * 0.01 *
                                                        (double)bl_ramp_value(&ramps[BIAS], frame);
        /* Uniform noise has an RMS of 1/√3. */
        now->hiss[frame] =
            1.73205081f * output[frame] * bl_fader_gain(bl_ramp_value(&ramps[HISS], frame));
        now->delays[frame] = BL_MODDELAY_SHORTEST;
    }
    add_delays(unit, &unit->wow, &unit->wow_depth, &ramps[WOW], &ramps[WOW_RATE], now->delays,
               frames);
    add_delays(unit, &unit->flutter, &unit->flutter_depth, &ramps[FLUTTER], &ramps[FLUTTER_RATE],
               now->delays, frames);
    now->still = 6.28318530718 * MEAN_FREQUENCY / unit->base.sample_rate;
}

/* Drives one channel at eight times the rate. */
BL_INLINE void drive(bl_tape_channel *channel, const stretch *now, const float *from,
                     float *high) BL_NONBLOCKING {
    float driven[STRETCH];
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        driven[frame] = from[frame] * now->drive[frame];
    }
    bl_oversample8_up(&channel->oversample8, driven, high, now->frames);
}

/* Magnetises two channels. */
BL_INLINE void magnetise(bl_hysteresis *state, const bl_langevin *langevin, const stretch *now,
                         float *left, float *right) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        for (uint32_t place = 8 * frame; place < 8 * frame + 8; place += 1) {
            bl_double2 field = {(double)left[place], (double)right[place]};
            bl_double2 m = bl_hysteresis_step(state, langevin, now->reversible[frame], field);
            left[place] = (float)m[0];
            right[place] = (float)m[1];
        }
    }
}

/* Converts back to the sound's rate, without the mean, and with hiss. */
BL_INLINE void downsample(bl_tape_channel *channel, const stretch *now, const float *high,
                          float *samples) BL_NONBLOCKING {
    float whole[BL_TAPE_LAG + HIGH];
    uint32_t frames = now->frames;
    memcpy(whole, channel->late, sizeof channel->late);
    memcpy(whole + BL_TAPE_LAG, high, 8 * frames * sizeof(float));
    memcpy(channel->late, whole + 8 * frames, sizeof channel->late);
    bl_oversample8_down(&channel->oversample8, whole, samples, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        channel->mean += now->still * ((double)samples[frame] - channel->mean);
        channel->noise = channel->noise * 1664525u + 1013904223u;
        float noise = (float)(int32_t)channel->noise * 0x1p-31f;
        samples[frame] =
            (samples[frame] - (float)channel->mean) * now->back[frame] + noise * now->hiss[frame];
    }
}

/* Applies the head's losses, in place; `past` is 2 × reach samples. */
BL_INLINE void read_tape(const bl_tape_loss *loss, float *past, float *samples,
                         uint32_t frames) BL_NONBLOCKING {
    float memory[2 * BL_TAPE_LONGEST_REACH + STRETCH];
    uint32_t reach = loss->reach;
    memcpy(memory, past, 2 * reach * sizeof(float));
    memcpy(memory + 2 * reach, samples, frames * sizeof(float));
    memcpy(past, memory + frames, 2 * reach * sizeof(float));
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] = bl_tape_loss_sum(loss->taps, reach, memory + reach + frame);
    }
    float step = 1.0f / (float)(int32_t)loss->grid;
    for (uint32_t frame = 0; loss->fades && frame < frames; frame += 1) {
        float before = bl_tape_loss_sum(loss->before, reach, memory + reach + frame);
        float part = (float)(int32_t)(loss->passed + frame + 1) * step;
        samples[frame] = bl_crossfade_mix(before, samples[frame], part, BL_CORRELATED);
    }
}

BL_INLINE void process_pair(bl_tape_unit *unit, uint32_t first, const stretch *now,
                            float *const *input, float *const *output) BL_NONBLOCKING {
    float high[2][HIGH], samples[STRETCH];
    uint32_t channels = bl_fewer(unit->base.output_channel_count - first, 2);
    for (uint32_t lane = 0; lane < channels; lane += 1) {
        drive(&unit->channels[first + lane], now, input[first + lane] + now->first_frame,
              high[lane]);
    }
    if (channels == 1) {
        memcpy(high[1], high[0], 8 * now->frames * sizeof(float));
    }
    magnetise(&unit->tape[first / 2], &unit->langevin, now, high[0], high[1]);
    for (uint32_t index = first; index < first + channels; index += 1) {
        float *line = unit->lines + (size_t)index * bl_moddelay_floats(&unit->delay);
        downsample(&unit->channels[index], now, high[index - first], samples);
        read_tape(&unit->loss, unit->pasts + (size_t)index * 2 * unit->loss.reach, samples,
                  now->frames);
        bl_moddelay_write(&unit->delay, line, samples, now->frames);
        bl_moddelay_read(&unit->delay, &unit->sinc, line, now->delays,
                         output[index] + now->first_frame, now->frames);
    }
}

BL_VECTOR_CLONES void bl_tape_process(bl_unit *self, bl_io *io, uint32_t first_frame,
                                      uint32_t frames) BL_NONBLOCKING {
    bl_tape_unit *unit = (bl_tape_unit *)self;
    bl_tape_loss *loss = &unit->loss;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        if (loss->passed == 0) {
            bl_tape_head head = bl_tape_present_head(unit);
            bl_tape_loss_line(loss, &head);
        }
        now.first_frame = first_frame + done;
        now.frames = bl_fewer(bl_fewer(frames - done, STRETCH), loss->grid - loss->passed);
        if (loss->designs) {
            bl_tape_loss_design(loss, loss->passed + now.frames);
        }
        prepare(unit, &now);
        for (uint32_t index = 0; index < unit->base.output_channel_count; index += 2) {
            process_pair(unit, index, &now, io->input, io->output);
        }
        bl_moddelay_advance(&unit->delay, now.frames);
        loss->passed = (loss->passed + now.frames) & (loss->grid - 1);
        bl_ramps_advance(unit->base.parameters, PARAMETER_COUNT, now.frames);
    }
}
