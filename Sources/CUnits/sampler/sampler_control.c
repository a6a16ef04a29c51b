/* The targets of a voice's pitch, level and filter. */
#include "dsp/decibels.h"
#include "dsp/lfo.h"
#include "dsp/pan.h"
#include "sampler/sampler.h"

/* The default bend range, semitones. */
#define USUAL_BEND_RANGE 2.0f

/* The targets of a voice's ramps. */
typedef struct targets {
    float step;
    bl_pan_gains gains;
    bl_svf_coefficients filter;
} targets;

/* A source's value `ahead` frames from now: 0 to 1; bend -1 to 1, and more if a zone's master bends
   as well. Channel and master are combined as in base/channel_state.h. */
static float value_of(const bl_sampler_unit *unit, uint8_t channel, uint8_t source,
                      uint32_t ahead) BL_NONBLOCKING {
    uint8_t master = bl_channel_master(&unit->states, channel);
    float scale = source == BL_SOURCE_BEND ? 1 : 127;
    float own = bl_ramp_value(&unit->channels[channel].sources[source], ahead) / scale;
    float masters = bl_ramp_value(&unit->channels[master].sources[source], ahead) / scale;
    if (master == channel) {
        return own;
    }
    switch (source) {
    case BL_SOURCE_BEND: return own + masters;
    case BL_VOLUME:
    case BL_EXPRESSION: return own * masters;
    case BL_MODULATION_WHEEL:
    case BL_TIMBRE:
    case BL_SOURCE_PRESSURE: return own > masters ? own : masters;
    default: return own;
    }
}

float bl_sampler_modulation(const bl_sampler_unit *unit, const bl_region *region, uint8_t channel,
                            bl_target target, uint32_t ahead) BL_NONBLOCKING {
    float sum = 0;
    for (uint32_t index = 0; index < region->modulation_count; index += 1) {
        const bl_modulation *modulation = &region->modulations[index];
        if (modulation->target == target) {
            sum += modulation->amount * value_of(unit, channel, modulation->source, ahead);
        }
    }
    return sum;
}

/* Sums the controllers' modulations, for all targets at once. */
static void modulate(const bl_sampler_unit *unit, const bl_sampler_voice *voice, uint32_t ahead,
                     float *sums) BL_NONBLOCKING {
    const bl_region *region = voice->region;
    for (uint32_t target = 0; target < BL_TARGET_COUNT; target += 1) {
        sums[target] = target == BL_TARGET_AMPLITUDE ? 1 : 0;
    }
    for (uint32_t index = 0; index < region->modulation_count; index += 1) {
        const bl_modulation *modulation = &region->modulations[index];
        float value =
            modulation->amount * value_of(unit, voice->channel, modulation->source, ahead);
        if (modulation->target == BL_TARGET_AMPLITUDE) {
            sums[BL_TARGET_AMPLITUDE] *= 0.01f * value;
        } else {
            sums[modulation->target] += value;
        }
    }
}

/* A region's gain by the controllers' crossfades. */
static float faded(const bl_sampler_unit *unit, const bl_sampler_voice *voice,
                   uint32_t ahead) BL_NONBLOCKING {
    const bl_region *region = voice->region;
    float gain = 1;
    for (uint32_t index = 0; index < region->fade_count; index += 1) {
        const bl_cross_fade *fade = &region->fades[index];
        float value = 127 * value_of(unit, voice->channel, fade->source, ahead);
        float width = fade->high - fade->low;
        float share = width > 0 ? (value - fade->low) / width : value >= fade->high ? 1 : 0;
        share = fade->out ? 1 - share : share;
        share = share < 0 ? 0 : share < 1 ? share : 1;
        gain *= region->linear_controller_fade ? share : bl_sine_of_quarter_turns(share);
    }
    return gain;
}

/* Advances an oscillator by `ahead` frames, and returns its value then, -1 to 1. */
static float oscillate(const bl_sampler_unit *unit, bl_sampler_voice *voice, uint32_t index,
                       float rate, float seconds, uint32_t ahead) BL_NONBLOCKING {
    const bl_sampler_lfo *lfo = &voice->region->lfos[index];
    float since = seconds - lfo->delay;
    if (since <= 0) {
        return 0;
    }
    double run = (double)(int32_t)ahead / unit->base.sample_rate;
    run = (double)since < run ? (double)since : run;
    double *phase = &voice->lfo_phases[index];
    *phase += run * (double)(rate > 0 ? rate < 100 ? rate : 100 : 0);
    *phase -= *phase >= 1 ? (double)(int32_t)*phase : 0;
    uint32_t turn = (uint32_t)(int64_t)(*phase * 0x1p32);
    float value = (float)(lfo->triangle ? bl_lfo_triangle(turn) : bl_lfo_sine(turn));
    return since < lfo->fade ? value * since / lfo->fade : value;
}

static float squared(float value) BL_NONBLOCKING { return value * value; }

/* The limit of the controllers' summed level, dB, so that no gain leaves the range of floats. */
#define LOUDEST 144.0f
#define SHARPEST 96.0f

static float at_most(float value, float most) BL_NONBLOCKING { return value < most ? value : most; }

static bl_pan_gains gains_of(const bl_sampler_unit *unit, const bl_sampler_voice *voice,
                             const float *sums, float decibels, uint32_t ahead) BL_NONBLOCKING {
    uint8_t channel = voice->channel;
    float gain = voice->gain * sums[BL_TARGET_AMPLITUDE] * faded(unit, voice, ahead) *
                 bl_decibels_to_gain(at_most(decibels + sums[BL_TARGET_VOLUME], LOUDEST)) *
                 squared(value_of(unit, channel, BL_VOLUME, ahead)) *
                 squared(value_of(unit, channel, BL_EXPRESSION, ahead));
    float turned = 127 * value_of(unit, channel, BL_PAN, ahead) - 64;
    float pan =
        0.01f * (voice->region->pan + sums[BL_TARGET_PAN]) + turned / (turned > 0 ? 63.0f : 64.0f);
    pan = pan < -1 ? -1 : pan < 1 ? pan : 1;
    bl_pan_gains gains;
    bl_pan(&gains, voice->region->sample->channels, unit->base.output_channel_count, pan, gain);
    return gains;
}

static bl_svf_coefficients filter_of(const bl_sampler_unit *unit, const bl_sampler_voice *voice,
                                     float cents, float resonance) BL_NONBLOCKING {
    float share = voice->region->cutoff * bl_exp2(cents / 1200) / (float)unit->base.sample_rate;
    bl_svf_coefficients filter;
    if (voice->region->filter <= BL_FILTER_HIGH_PASS_1) {
        /* g / (1 + g) with g = tan(π · share). */
        share = share < BL_SVF_MAXIMUM_CUTOFF ? share : BL_SVF_MAXIMUM_CUTOFF;
        float sine = bl_sine_of_quarter_turns(2 * share);
        float cosine = bl_sine_of_quarter_turns(1 - 2 * share);
        filter = (bl_svf_coefficients){.low = sine / (sine + cosine)};
    } else {
        bl_svf_tune(&filter, share, resonance);
    }
    return filter;
}

/* Computes all targets `ahead` frames from now; the oscillators advance to there. */
static targets targets_of(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                          uint32_t ahead) BL_NONBLOCKING {
    const bl_region *region = voice->region;
    float seconds = (float)((double)(voice->age + ahead) / unit->base.sample_rate);
    float force = (float)voice->velocity / 127;
    float sums[BL_TARGET_COUNT];
    modulate(unit, voice, ahead, sums);
    float bend = value_of(unit, voice->channel, BL_SOURCE_BEND, ahead);
    bend *= bend > 0 ? region->bend_up : -region->bend_down;
    bend = region->bend_by_range
               ? 100 * bl_channel_bend(&unit->states, voice->channel, USUAL_BEND_RANGE)
               : bend + 100 * bl_channel_tuning(&unit->states, voice->channel);
    float cents = voice->cents + sums[BL_TARGET_TUNE] + bend +
                  bl_ramp_value(&unit->base.parameters[BL_SAMPLER_TUNE], ahead);
    float cutoff = voice->cutoff + sums[BL_TARGET_CUTOFF];
    float decibels = 0;
    for (uint32_t index = 0; index < BL_MOTION_COUNT; index += 1) {
        const bl_sampler_motion *motion = &region->motions[index];
        float by_velocity = force * motion->depth_by_velocity;
        float pitch = motion->pitch + (index == BL_MOTION_PITCH ? by_velocity : 0);
        float filter = motion->cutoff + (index == BL_MOTION_FILTER ? by_velocity : 0);
        if (pitch != 0 || filter != 0) {
            float level = bl_sampler_motion_level(voice, index, seconds);
            cents += pitch * level;
            cutoff += filter * level;
        }
    }
    for (uint32_t index = 0; index < BL_SAMPLER_LFO_COUNT; index += 1) {
        const bl_sampler_lfo *lfo = &region->lfos[index];
        float added = sums[BL_TARGET_LFO_DEPTH + index];
        float rate = lfo->rate + sums[BL_TARGET_LFO_RATE + index];
        float value = rate != 0 ? oscillate(unit, voice, index, rate, seconds, ahead) : 0;
        cents += value * (lfo->pitch + (index == BL_LFO_PITCH ? added : 0));
        cutoff += value * (lfo->cutoff + (index == BL_LFO_FILTER ? added : 0));
        decibels += value * (lfo->volume + (index == BL_LFO_VOLUME ? added : 0));
    }
    targets result = {.gains = gains_of(unit, voice, sums, decibels, ahead)};
    float step =
        bl_exp2(cents / 1200) * (float)(region->sample->sample_rate / unit->base.sample_rate);
    result.step = step < BL_SAMPLER_LARGEST_STEP ? step : BL_SAMPLER_LARGEST_STEP;
    if (region->cutoff > 0) {
        float resonance = region->resonance + sums[BL_TARGET_RESONANCE];
        result.filter = filter_of(unit, voice, cutoff, at_most(resonance, SHARPEST));
    }
    return result;
}

static void send(bl_sampler_voice *voice, const targets *to, uint32_t frames) BL_NONBLOCKING {
    bl_ramp_start_line(&voice->step, to->step, frames);
    bl_ramp_start_line(&voice->left, to->gains.left, frames);
    bl_ramp_start_line(&voice->right, to->gains.right, frames);
    bl_ramp_start_line(&voice->band, to->filter.band, frames);
    bl_ramp_start_line(&voice->low, to->filter.low, frames);
    bl_ramp_start_line(&voice->loss, to->filter.loss, frames);
    bl_ramp_start_line(&voice->damping, to->filter.damping, frames);
}

void bl_sampler_control(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                        uint32_t ahead) BL_NONBLOCKING {
    if (voice->fresh) {
        voice->fresh = false;
        targets now = targets_of(unit, voice, 0);
        send(voice, &now, 0);
    }
    targets next = targets_of(unit, voice, ahead);
    send(voice, &next, ahead);
}
