/* The pitch shifter's sound: the mean of the inputs through the voices, their delays and pans, and
   the dry sound. */
#include <math.h>
#include <string.h>

#include "dsp/chunk.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "dsp/pan.h"
#include "dsp/scale.h"
#include "pitch_shifter/pitch_shifter.h"

/* The partials' spacing for the envelope of a sound that is not a tone, Hz. */
#define SPACING 330.0
/* The difference from the last note, semitones, from which on it is another. */
#define NOTE_CHANGE 0.6

static float value(const bl_shifter_unit *shifter, uint32_t index) BL_NONBLOCKING {
    return bl_ramp_value(&shifter->base.parameters[index], 0);
}

/* The voice's target interval, semitones. */
static double wanted_semitones(const bl_shifter_unit *shifter, uint32_t voice) BL_NONBLOCKING {
    float semitones = value(shifter, BL_SHIFTER_PLACE(voice, BL_SHIFTER_SEMITONES));
    uint32_t scale = (uint32_t)value(shifter, BL_SHIFTER_SCALE);
    if (scale != BL_SCALE_CHROMATIC) {
        int32_t root = (int32_t)value(shifter, BL_SHIFTER_ROOT);
        semitones = (float)bl_scale_interval(scale, root, shifter->note, semitones);
    }
    float cents = value(shifter, BL_SHIFTER_PLACE(voice, BL_SHIFTER_CENTS));
    float bend = value(shifter, BL_SHIFTER_BEND) * value(shifter, BL_SHIFTER_PEDAL);
    return (double)(semitones + 0.01f * (cents + bend));
}

/* The target delay `frame` frames from now; a whole number of frames, so that a resting delay does
   not change the sound. */
static double wanted_delay(const bl_shifter_unit *shifter, uint32_t voice,
                           uint32_t frame) BL_NONBLOCKING {
    const bl_ramp *ramp = &shifter->base.parameters[BL_SHIFTER_PLACE(voice, BL_SHIFTER_DELAY)];
    return rint((double)bl_ramp_value(ramp, frame) * 0.001 * shifter->base.sample_rate);
}

void bl_shifter_jump_to_targets(bl_shifter_unit *shifter) BL_NONBLOCKING {
    for (uint32_t index = 0; index < BL_SHIFTER_VOICES; index += 1) {
        bl_shifter_voice *voice = &shifter->voices[index];
        voice->semitones = wanted_semitones(shifter, index);
        voice->delay = wanted_delay(shifter, index, 0);
        shifter->shift.factors[index] = exp2(voice->semitones / 12);
    }
    for (uint32_t step = 0; step < shifter->factor_steps; step += 1) {
        memcpy(shifter->factors[step], shifter->shift.factors, sizeof shifter->shift.factors);
    }
}

static uint32_t switched(const bl_shifter_unit *shifter, uint32_t index) BL_NONBLOCKING {
    return (uint32_t)shifter->base.parameters[index].target;
}

void bl_shifter_set_mode(bl_shifter_unit *shifter) BL_NONBLOCKING {
    shifter->quality = switched(shifter, BL_SHIFTER_QUALITY);
    shifter->keeps_formants = switched(shifter, BL_SHIFTER_KEEP_FORMANTS) != 0;
}

static void follow_note(bl_shifter_unit *shifter) BL_NONBLOCKING {
    double frequency = (double)shifter->tracker.result.frequency;
    if (frequency > 0) {
        double note = 69 + 12 * log2(frequency / 440);
        if (fabs(note - shifter->note) > NOTE_CHANGE) {
            shifter->note = (int32_t)rint(note);
        }
    }
}

/* Changes the mode while the output is silent. */
static void follow_mode(bl_shifter_unit *shifter) BL_NONBLOCKING {
    if (switched(shifter, BL_SHIFTER_QUALITY) == shifter->quality &&
        (switched(shifter, BL_SHIFTER_KEEP_FORMANTS) != 0) == shifter->keeps_formants) {
        bl_declick(&shifter->presence, 1, shifter->base.sample_rate);
    } else if (bl_ramp_is_moving(&shifter->presence) || shifter->presence.target > 0) {
        bl_declick(&shifter->presence, 0, shifter->base.sample_rate);
    } else {
        bl_shifter_set_mode(shifter);
        bl_vocoder_silence(&shifter->low);
        bl_vocoder_silence(&shifter->high);
    }
}

/* Updates the formants' target. */
static void follow_formants(bl_shifter_unit *shifter) BL_NONBLOCKING {
    double tone = (double)shifter->tracker.result.frequency;
    double semitones = (double)value(shifter, BL_SHIFTER_FORMANT_SHIFT);
    bl_declick(&shifter->tone, shifter->keeps_formants && tone > 0 ? 1.0f : 0.0f,
               shifter->base.sample_rate);
    shifter->shift.formants = shifter->keeps_formants ? exp2(semitones / 12) : 0;
    shifter->shift.spacing = (tone > 0 ? tone : SPACING) / shifter->base.sample_rate;
}

/* The factors of so many steps ago. */
static double *factors_before(const bl_shifter_unit *shifter, uint32_t steps) BL_NONBLOCKING {
    uint64_t now = shifter->clock / BL_VOCODER_STEP + shifter->factor_steps;
    return shifter->factors[(now - steps) % shifter->factor_steps];
}

/* Updates the pitch and the voices, each BL_VOCODER_STEP. */
static void follow(bl_shifter_unit *shifter) BL_NONBLOCKING {
    follow_note(shifter);
    bl_splice_learn(&shifter->past, &shifter->tracker);
    follow_mode(shifter);
    follow_formants(shifter);
    for (uint32_t index = 0; index < BL_SHIFTER_VOICES; index += 1) {
        bl_shifter_voice *voice = &shifter->voices[index];
        double rest = wanted_semitones(shifter, index) - voice->semitones;
        voice->semitones += fabs(rest) < 1e-4 ? rest : shifter->semitone_smoothing * rest;
        shifter->shift.factors[index] = exp2(voice->semitones / 12);
    }
    memcpy(factors_before(shifter, 0), shifter->shift.factors, sizeof shifter->shift.factors);
}

static bool plays(const bl_shifter_voice *voice) BL_NONBLOCKING {
    return bl_ramp_is_moving(&voice->weight) || voice->weight.target > 0;
}

/* Plays a voice without latency, by grains if it keeps a tone's formants. */
static void shift_live(bl_shifter_unit *shifter, uint32_t index, const double *ages, float *output,
                       uint32_t frames) BL_NONBLOCKING {
    bl_shifter_voice *voice = &shifter->voices[index];
    const bl_splice_past *past = &shifter->past;
    double factor = shifter->shift.factors[index];
    bl_splicer_process(&voice->splicer, past, factor, output, frames);
    if (shifter->marks.period <= 0 || !shifter->keeps_formants) {
        return;
    }
    float tone[BL_VOCODER_STEP];
    bl_grains_process(&voice->grains, past, shifter->marks.period, ages, factor,
                      shifter->shift.formants, tone, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[frame] += bl_ramp_value(&shifter->tone, frame) * (tone[frame] - output[frame]);
    }
}

/* Plays the voices with latency. Both vocoders play the same factors at the same time. */
static void shift_high(bl_shifter_unit *shifter, const float *input, float *const *output,
                       uint32_t frames) BL_NONBLOCKING {
    float memory[BL_SHIFTER_VOICES][BL_VOCODER_STEP];
    float *const high[BL_SHIFTER_VOICES] = {memory[0], memory[1], memory[2], memory[3]};
    bl_vocoder_process(&shifter->low, &shifter->shift, input, output, frames);
    bl_vocoder_voices later = shifter->shift;
    memcpy(later.factors, factors_before(shifter, shifter->factor_steps - 1), sizeof later.factors);
    bl_vocoder_process(&shifter->high, &later, input, high, frames);
    for (uint32_t voice = 0; voice < BL_SHIFTER_VOICES; voice += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            output[voice][frame] += high[voice][frame];
        }
    }
}

/* The voices before their delays. */
static void shift(bl_shifter_unit *shifter, const float *input, float *const *output,
                  uint32_t frames) BL_NONBLOCKING {
    bool is_live = shifter->quality == BL_SHIFTER_LIVE;
    if (is_live || shifter->keeps_formants ||
        switched(shifter, BL_SHIFTER_SCALE) != BL_SCALE_CHROMATIC) {
        bl_pitch_tracker_listen(&shifter->tracker, input, frames);
    }
    bl_vocoder_voices *voices = &shifter->shift;
    voices->count = 0;
    for (uint32_t voice = 0; voice < BL_SHIFTER_VOICES; voice += 1) {
        voices->count = plays(&shifter->voices[voice]) ? voice + 1 : voices->count;
    }
    bl_splice_write(&shifter->past, input, frames);
    if (!is_live) {
        shift_high(shifter, input, output, frames);
        return;
    }
    bl_vocoder_listen(&shifter->low, input, frames);
    bl_vocoder_listen(&shifter->high, input, frames);
    double ages[BL_VOCODER_STEP];
    bl_grain_marks_follow(&shifter->marks, &shifter->past, ages, frames);
    for (uint32_t voice = 0; voice < voices->count; voice += 1) {
        shift_live(shifter, voice, ages, output[voice], frames);
    }
}

/* Applies the voice's delay, in place. */
static void delay(bl_shifter_unit *shifter, uint32_t index, float *sound,
                  uint32_t frames) BL_NONBLOCKING {
    bl_shifter_voice *voice = &shifter->voices[index];
    uint32_t mask = shifter->delay_frames - 1;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        uint32_t place = (uint32_t)shifter->clock + frame;
        voice->ring[place & mask] = sound[frame];
        double rest = wanted_delay(shifter, index, frame) - voice->delay;
        voice->delay += fabs(rest) < 1e-3 ? rest : shifter->delay_smoothing * rest;
        uint32_t whole = (uint32_t)voice->delay;
        uint64_t age = shifter->clock + frame - voice->since;
        float early = whole <= age ? voice->ring[(place - whole) & mask] : 0;
        float late = whole < age ? voice->ring[(place - whole - 1) & mask] : 0;
        /* Two frames suffice for a moving delay. */
        float part = (float)(voice->delay - whole);
        sound[frame] = part > 0 ? early + part * (late - early) : early;
    }
}

/* Adds a voice to the outputs, at its own level in each when panned to the middle. */
static void add_voice(bl_shifter_unit *shifter, uint32_t index, const float *sound,
                      float *const *output, uint32_t frames) BL_NONBLOCKING {
    uint32_t channels = shifter->base.output_channel_count;
    const bl_ramp *ramps = &shifter->base.parameters[BL_SHIFTER_PLACE(index, 0)];
    float middle = channels == 2 ? 1.41421356f : 1.0f;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float gain = middle * bl_fader_gain(bl_ramp_value(&ramps[BL_SHIFTER_LEVEL], frame)) *
                     bl_ramp_value(&shifter->voices[index].weight, frame);
        bl_pan_gains gains;
        bl_pan(&gains, 1, channels, bl_ramp_value(&ramps[BL_SHIFTER_PAN], frame), gain);
        output[0][frame] += gains.left * sound[frame];
        if (channels == 2) {
            output[1][frame] += gains.right * sound[frame];
        }
    }
}

/* Adds the dry sound with its level, delayed by the voices' latency. */
static void pass_dry(bl_shifter_unit *shifter, float *const *sound,
                     uint32_t frames) BL_NONBLOCKING {
    bool is_live = shifter->quality == BL_SHIFTER_LIVE;
    uint32_t late = is_live ? 0 : bl_shifter_latency(shifter);
    uint32_t mask = shifter->low.ring - 1;
    const bl_ramp *level = &shifter->base.parameters[BL_SHIFTER_DRY];
    for (uint32_t channel = 0; channel < shifter->base.output_channel_count; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            uint32_t place = (uint32_t)shifter->clock + frame;
            shifter->dry[channel][place & mask] = sound[channel][frame];
            sound[channel][frame] = shifter->dry[channel][(place - late) & mask] *
                                    bl_fader_gain(bl_ramp_value(level, frame));
        }
    }
}

static void process_step(bl_shifter_unit *shifter, float *const *sound,
                         uint32_t frames) BL_NONBLOCKING {
    float mono[BL_VOCODER_STEP], memory[BL_SHIFTER_VOICES][BL_VOCODER_STEP];
    float *const voices[BL_SHIFTER_VOICES] = {memory[0], memory[1], memory[2], memory[3]};
    uint32_t channels = shifter->base.output_channel_count;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        mono[frame] = 0.5f * (sound[0][frame] + sound[channels - 1][frame]);
    }
    shift(shifter, mono, voices, frames);
    pass_dry(shifter, sound, frames);
    for (uint32_t index = 0; index < BL_SHIFTER_VOICES; index += 1) {
        if (plays(&shifter->voices[index])) {
            delay(shifter, index, voices[index], frames);
            add_voice(shifter, index, voices[index], sound, frames);
        } else {
            shifter->voices[index].since = shifter->clock + frames;
        }
    }
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            sound[channel][frame] *= bl_ramp_value(&shifter->presence, frame);
        }
    }
}

static void advance(bl_shifter_unit *shifter, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < BL_SHIFTER_PARAMETERS; index += 1) {
        bl_ramp_advance(&shifter->base.parameters[index], frames);
    }
    for (uint32_t voice = 0; voice < BL_SHIFTER_VOICES; voice += 1) {
        bl_ramp_advance(&shifter->voices[voice].weight, frames);
    }
    bl_ramp_advance(&shifter->presence, frames);
    bl_ramp_advance(&shifter->tone, frames);
    shifter->clock += frames;
}

void bl_shifter_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                        uint32_t frames) BL_NONBLOCKING {
    bl_shifter_unit *shifter = (bl_shifter_unit *)unit;
    uint32_t channels = shifter->base.output_channel_count;
    float memory[2][BL_VOCODER_STEP];
    float *const sound[2] = {memory[0], memory[1]};
    for (uint32_t done = 0, count; done < frames; done += count) {
        uint32_t into_step = (uint32_t)(shifter->clock % BL_VOCODER_STEP);
        count = bl_fewer(frames - done, BL_VOCODER_STEP - into_step);
        /* Each voice plays or is silent for a whole stretch. */
        for (uint32_t voice = 0; voice < BL_SHIFTER_VOICES; voice += 1) {
            count = bl_frames_before_end(&shifter->voices[voice].weight, count);
        }
        if (into_step == 0) {
            follow(shifter);
        }
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            uint32_t source = bl_fewer(channel, shifter->base.input_channel_count - 1);
            memcpy(sound[channel], io->input[source] + first_frame + done, count * sizeof(float));
        }
        process_step(shifter, sound, count);
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            memcpy(io->output[channel] + first_frame + done, sound[channel], count * sizeof(float));
        }
        advance(shifter, count);
    }
}
