/* The FM synth's sound: eight voices at a time at twice the rate, their sum at the sample rate. */
#include "dsp/chunk.h"
#include "dsp/decibels.h"
#include "dsp/sine.h"
#include "fm/fm.h"

/* Turns of phase by an operator at full level: a modulation index of 10. */
#define FULL_INDEX 1.59154943f
/* The highest factor of an index: the sum of three and the feedback stays below the 32 turns that
   fit in a phase's upper bits. */
#define MOST_MODULATION 4.0f
/* The frequency from which on an operator is silent, half the sample rate, and the steepness of its
   fade from 5/6 of it, turns per tick. */
#define HIGHEST 0.25f
#define STEEPNESS 24.0f

/* The values that all voices share at a frame. */
typedef struct shared {
    /* An operator's frequency: a multiple of the key's, or turns per tick. */
    float ratio[BL_FM_OPERATORS], fixed[BL_FM_OPERATORS];
    float level[BL_FM_OPERATORS];
    /* Turns of the phase; for the output, factors. */
    float routes[BL_FM_OPERATORS + 1][BL_FM_OPERATORS];
    float modulation, wheel, pressure, timbre; /* factors of the routes */
    float vibrato, wheel_vibrato, tremolo;     /* vibratos in octaves; a share */
} shared;

/* A stretch of frames. */
typedef struct stretch {
    uint32_t frames;
    bool moves;     /* some frame differs from the first */
    float tuning;   /* turns per tick at 440 Hz */
    float lfo_fade; /* share per frame */
    shared of[BL_FM_STRETCH];
    float lfo[BL_FM_STRETCH]; /* -1 to 1 */
    /* The sum of all groups, one voice of each in each lane. */
    bl_lanes sums[BL_FM_STRETCH * BL_FM_FACTOR];
} stretch;

BL_INLINE float share(const bl_ramp *ramp, uint32_t at) BL_NONBLOCKING {
    return 0.01f * bl_ramp_value(ramp, at);
}

/* Fills in the frame `at` frames from now. */
BL_INLINE void fill(const bl_fm_unit *fm, float tuning, uint32_t at, shared *frame) BL_NONBLOCKING {
    const bl_ramp *ramps = fm->instrument.base.parameters;
    float feedback = share(&ramps[BL_FM_FEEDBACK], at);
    for (uint32_t index = 0; index < BL_FM_OPERATORS; index += 1) {
        const bl_ramp *own = bl_fm_operator(fm, index);
        bool is_fixed = own[BL_FM_FIXED].target >= 0.5f;
        float fine = bl_exp2(bl_ramp_value(&own[BL_FM_FINE], at) / 1200.0f);
        float frequency = bl_ramp_value(&own[BL_FM_FREQUENCY], at) * (1.0f / 440.0f);
        frame->ratio[index] = is_fixed ? 0 : fine * bl_ramp_value(&own[BL_FM_RATIO], at);
        frame->fixed[index] = is_fixed ? fine * frequency * tuning : 0;
        frame->level[index] = share(&own[BL_FM_OPERATOR_LEVEL], at);
        for (uint32_t from = 0; from < BL_FM_OPERATORS; from += 1) {
            float route = FULL_INDEX * bl_ramp_value(&fm->routes[index][from], at);
            frame->routes[index][from] = from > index ? route : feedback * route;
        }
        frame->routes[BL_FM_OUTPUT][index] = bl_ramp_value(&fm->routes[BL_FM_OUTPUT][index], at);
    }
    frame->modulation = share(&ramps[BL_FM_MODULATION], at);
    frame->wheel = share(&ramps[BL_FM_WHEEL_MODULATION], at);
    frame->pressure = share(&ramps[BL_FM_PRESSURE_MODULATION], at);
    frame->timbre = share(&ramps[BL_FM_TIMBRE_MODULATION], at);
    frame->vibrato = bl_ramp_value(&ramps[BL_FM_LFO_PITCH], at) / 1200.0f;
    frame->wheel_vibrato = bl_ramp_value(&ramps[BL_FM_WHEEL_VIBRATO], at) / 1200.0f;
    frame->tremolo = share(&ramps[BL_FM_LFO_LEVEL], at);
}

enum { ROUTES = (BL_FM_OPERATORS + 1) * BL_FM_OPERATORS };

BL_INLINE void prepare(bl_fm_unit *fm, stretch *now) BL_NONBLOCKING {
    const bl_ramp *ramps = fm->instrument.base.parameters;
    double rate = fm->instrument.base.sample_rate;
    now->tuning = (float)(440 / (BL_FM_FACTOR * rate));
    now->moves =
        bl_ramps_move(ramps, BL_FM_PARAMETER_COUNT) || bl_ramps_move(fm->routes[0], ROUTES);
    for (uint32_t frame = 0; frame < (now->moves ? now->frames : 1); frame += 1) {
        fill(fm, now->tuning, frame, &now->of[frame]);
    }
    float fade = ramps[BL_FM_LFO_FADE].target * (float)rate;
    now->lfo_fade = fade > 1.0f ? 1.0f / fade : 1.0f;
    uint32_t phases[BL_FM_STRETCH];
    bl_ramp lfo_rate = ramps[BL_FM_LFO_RATE];
    bl_phase_fill(&fm->lfo, &lfo_rate, bl_phase_scale(rate), phases, now->frames);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->lfo[frame] = bl_sine(phases[frame]);
    }
    for (uint32_t tick = 0; tick < now->frames * BL_FM_FACTOR; tick += 1) {
        now->sums[tick] = 0.0f;
    }
}

/* The modulation of the voices at a frame. */
typedef struct controls {
    bl_lanes turns;      /* the key's turns per tick */
    bl_lanes modulation; /* factor of every index */
    bl_lanes level;
} controls;

BL_INLINE void control(bl_fm_group *group, const stretch *now, const shared *frame, float lfo,
                       controls *moved) BL_NONBLOCKING {
    bl_voice_now voice;
    bl_voice_lanes_tick(&group->voices, &voice);
    bl_lanes present = voice.age * now->lfo_fade;
    bl_lanes_limit(&present, 0, 1);
    bl_lanes value = lfo * present;
    moved->turns = group->voices.pitch + voice.bend +
                   value * (frame->vibrato + frame->wheel_vibrato * voice.wheel);
    bl_lanes_exp2(&moved->turns);
    moved->turns = moved->turns * now->tuning;
    bl_lanes_limit(&moved->turns, 0, 1);
    moved->modulation = frame->modulation + frame->wheel * voice.wheel +
                        frame->pressure * voice.pressure + frame->timbre * voice.timbre;
    bl_lanes_limit(&moved->modulation, 0, MOST_MODULATION);
    bl_lanes tremolo = 1.0f - 0.5f * frame->tremolo * (present - value);
    moved->level = voice.level * tremolo;
}

/* The operators' frequencies and amplitudes at a frame. */
BL_INLINE void aim(bl_fm_unit *fm, bl_fm_group *group, const shared *frame, const bl_lanes *key,
                   bl_lanes_uint *steps, bl_lanes *amplitudes) BL_NONBLOCKING {
    for (uint32_t index = 0; index < BL_FM_OPERATORS; index += 1) {
        bl_lanes_envelope *envelope = &group->envelopes[index];
        if (bl_lanes_envelope_ends(envelope)) {
            bl_lanes_envelope_continue(envelope, &bl_fm_operator(fm, index)[BL_FM_ENVELOPE]);
        }
        bl_lanes value;
        bl_lanes_envelope_tick(envelope, &value);
        bl_lanes turns = *key * frame->ratio[index] + frame->fixed[index];
        bl_lanes heard = (HIGHEST - turns) * STEEPNESS;
        bl_lanes_limit(&heard, 0, 1);
        bl_lanes_limit(&turns, 0, HIGHEST);
        steps[index] = (bl_lanes_uint) __builtin_convertvector(turns * 0x1p32f, bl_lanes_int);
        bl_lanes level = frame->level[index] * group->key[index];
        bl_lanes_limit(&level, 0, 1);
        amplitudes[index] = value * level * group->force[index] * heard;
    }
}

/* Computes a frame of the higher rate. An operator is modulated by the present outputs of those
   above it, and by the mean of the last two outputs of itself and those below, which damps the
   feedback's ringing at half the rate. */
BL_INLINE void tick(bl_fm_group *group, const shared *frame, const controls *moved,
                    const bl_lanes_uint *steps, const bl_lanes *amplitudes,
                    bl_lanes *sum) BL_NONBLOCKING {
    bl_lanes outputs[BL_FM_OPERATORS];
    for (uint32_t index = 0; index < BL_FM_OPERATORS; index += 1) {
        outputs[index] = group->mean[index];
    }
    for (uint32_t index = BL_FM_OPERATORS; index-- > 0;) {
        bl_lanes turns = 0.0f, sine;
        for (uint32_t from = 0; from < BL_FM_OPERATORS; from += 1) {
            turns = turns + frame->routes[index][from] * outputs[from];
        }
        turns = turns * moved->modulation * 0x1p26f;
        bl_lanes_uint phases = group->phases[index] +
                               ((bl_lanes_uint) __builtin_convertvector(turns, bl_lanes_int) << 6);
        bl_lanes_sine(&phases, &sine);
        outputs[index] = amplitudes[index] * sine;
        group->mean[index] = 0.5f * (outputs[index] + group->last[index]);
        group->last[index] = outputs[index];
        group->phases[index] += steps[index];
    }
    bl_lanes heard = 0.0f;
    for (uint32_t from = 0; from < BL_FM_OPERATORS; from += 1) {
        heard = heard + frame->routes[BL_FM_OUTPUT][from] * outputs[from];
    }
    *sum = *sum + moved->level * heard;
}

/* Frees the voices that have ended: cut off, or all their carriers released. */
static void free_voices(bl_fm_unit *fm, uint32_t index) BL_NONBLOCKING {
    bl_fm_group *group = &fm->groups[index];
    for (uint32_t lane = 0; lane < BL_LANES; lane += 1) {
        bl_key_voice *voice = &fm->instrument.keys.voices[index * BL_LANES + lane];
        bool ended = true;
        for (uint32_t each = 0; each < BL_FM_OPERATORS; each += 1) {
            ended = ended && (!bl_fm_is_carrier(fm, each) ||
                              group->envelopes[each].stages[lane] == BL_LANES_ENDED);
        }
        bl_voice_lanes_free(&group->voices, lane, voice, ended);
    }
}

BL_INLINE void add_group(bl_fm_unit *fm, uint32_t index, stretch *now) BL_NONBLOCKING {
    bl_fm_group *group = &fm->groups[index];
    for (uint32_t each = 0; each < BL_FM_OPERATORS; each += 1) {
        bl_lanes_envelope_follow(&group->envelopes[each],
                                 &bl_fm_operator(fm, each)[BL_FM_ENVELOPE]);
    }
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        const shared *with = &now->of[now->moves ? frame : 0];
        controls moved;
        bl_lanes_uint steps[BL_FM_OPERATORS];
        bl_lanes amplitudes[BL_FM_OPERATORS];
        control(group, now, with, now->lfo[frame], &moved);
        aim(fm, group, with, &moved.turns, steps, amplitudes);
        for (uint32_t each = 0; each < BL_FM_FACTOR; each += 1) {
            tick(group, with, &moved, steps, amplitudes, &now->sums[frame * BL_FM_FACTOR + each]);
        }
    }
    free_voices(fm, index);
}

BL_INLINE void write(bl_fm_unit *fm, const stretch *now, float *const *output,
                     uint32_t first_frame) BL_NONBLOCKING {
    bl_double2 two[BL_FM_STRETCH * BL_FM_FACTOR], one[BL_FM_STRETCH];
    for (uint32_t each = 0; each < now->frames * BL_FM_FACTOR; each += 1) {
        two[each] = (bl_double2){(double)bl_lanes_sum(&now->sums[each])};
    }
    bl_half_band_allpass_down(&fm->half, &bl_half_band_allpass_filters[0], two, one, now->frames);
    const bl_ramp *level = &fm->instrument.base.parameters[BL_FM_LEVEL];
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float gain = bl_fader_gain(bl_ramp_value(level, frame));
        for (uint32_t channel = 0; channel < fm->instrument.base.output_channel_count;
             channel += 1) {
            output[channel][first_frame + frame] = (float)one[frame][0] * gain;
        }
    }
}

BL_VECTOR_CLONES void bl_fm_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                    uint32_t frames) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        now.frames =
            bl_frames_before_ends(fm->routes[0], ROUTES, bl_fewer(frames - done, BL_FM_STRETCH));
        prepare(fm, &now);
        for (uint32_t index = 0; index < BL_FM_GROUPS; index += 1) {
            if (fm->groups[index].voices.active != 0) {
                add_group(fm, index, &now);
            }
        }
        write(fm, &now, io->output, first_frame + done);
        bl_ramps_advance(fm->instrument.base.parameters, BL_FM_PARAMETER_COUNT, now.frames);
        bl_ramps_advance(fm->routes[0], ROUTES, now.frames);
    }
}
