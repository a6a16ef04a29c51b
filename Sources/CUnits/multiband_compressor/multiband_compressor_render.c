/* The multiband compressor's sound: crossovers in series, each of which splits off the next band
   from below, and the same series of all-passes for the bands that are split off already, so that
   all bands together are an all-pass and the sound stays flat (D'Appolito, "Active Realization of
   Multiway All-Pass Crossover Systems", J. Audio Eng. Soc. 35 (4), 1987). The gains are applied
   before the all-passes: one all-pass for each crossover then serves all the bands below it. */
#include "multiband_compressor/multiband_compressor.h"

#include <math.h>
#include <string.h>

#include "dsp/decibels.h"
#include "dsp/gain_computer.h"
#include "dsp/sliding_maximum.h"

/* The shared values of the bands in a stretch of frames. */
typedef struct stretch {
    uint32_t first_frame; /* offset in the cycle */
    uint32_t frames;
    uint32_t bands; /* active bands */
    bl_svf_coefficients coefficients[MOST_CROSSOVERS][BL_CHUNK_FRAMES];
    bool moves[MOST_CROSSOVERS]; /* one set of coefficients for each frame, or a single one */
    float levels[MOST_BANDS][BL_CHUNK_FRAMES]; /* levels of the loudest channel; then factors */
    float solo[BL_CHUNK_FRAMES];               /* attenuation of the bands without solo */
} stretch;

/* A parameter of a band. */
BL_INLINE bl_ramp *band_ramp(multiband_unit *unit, uint32_t band,
                             uint32_t parameter) BL_NONBLOCKING {
    return &unit->base.parameters[band * BAND_PARAMETER_COUNT + parameter];
}

/* The weight of a crossover and the band above it: 0 to 1. */
BL_INLINE float presence(const multiband_unit *unit, uint32_t crossover,
                         uint32_t frame) BL_NONBLOCKING {
    float bands = bl_ramp_value(&unit->base.parameters[PARAMETER_BANDS], frame);
    float share = bands - (float)(crossover + 1);
    share = share < 1.0f ? share : 1.0f;
    return share > 0.0f ? share : 0.0f;
}

/* Clears the state of a band that is no longer active, and of the crossover below it. */
BL_INLINE void clear(multiband_unit *unit, uint32_t band) BL_NONBLOCKING {
    memset(unit->crossovers[band - 1], 0, sizeof unit->crossovers[0]);
    memset(unit->all_passes[band - 1], 0, sizeof unit->all_passes[0]);
    memset(unit->maxima + (size_t)band * unit->maximum_stride, 0,
           unit->maximum_stride * sizeof(float));
    unit->envelopes[band] = (bl_envelope){0};
    bl_ramp_set(band_ramp(unit, band, BAND_GAIN_REDUCTION), 0);
}

/* Tunes the crossovers of the active bands, and fills in the solo weights. */
BL_INLINE void prepare(multiband_unit *unit, stretch *now) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    float period = (float)(1 / unit->base.sample_rate);
    float bands = bl_ramp_value(&ramps[PARAMETER_BANDS], 0);
    now->bands = (uint32_t)ceilf(fmaxf(bands, ramps[PARAMETER_BANDS].target));
    for (uint32_t band = now->bands; band < unit->band_count; band += 1) {
        clear(unit, band);
    }
    unit->band_count = now->bands;
    for (uint32_t index = 0; index + 1 < now->bands; index += 1) {
        const bl_ramp *frequency = &ramps[PARAMETER_CROSSOVER + index];
        now->moves[index] = bl_ramp_is_moving(frequency);
        for (uint32_t frame = 0; frame < (now->moves[index] ? now->frames : 1); frame += 1) {
            float cutoff = bl_ramp_value(frequency, frame) * period;
            bl_svf_tune(&now->coefficients[index][frame], cutoff, 0);
        }
    }
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float solo = bl_ramp_value(band_ramp(unit, 0, BAND_SOLO), frame);
        for (uint32_t band = 1; band < now->bands; band += 1) {
            float own = bl_ramp_value(band_ramp(unit, band, BAND_SOLO), frame) *
                        presence(unit, band - 1, frame);
            solo = solo > own ? solo : own;
        }
        now->solo[frame] = solo;
    }
}

/* Splits a pair of channels into the bands, and finds the highest level of all channels in each. */
BL_INLINE void split(multiband_unit *unit, stretch *now, float *const *input, uint32_t channels,
                     uint32_t channel) BL_NONBLOCKING {
    bl_double2 rest[BL_CHUNK_FRAMES];
    /* An odd last channel is both of its pair. */
    uint32_t other = channel + 1 < channels ? channel + 1 : channel;
    bl_pair_read(input, channels, channel, now->first_frame, rest, now->frames);
    for (uint32_t index = 0; index < now->bands; index += 1) {
        float *left = unit->sound[index][channel];
        float *right = unit->sound[index][other];
        float *levels = now->levels[index];
        bool splits = index + 1 < now->bands;
        bl_crossover crossover = {0};
        if (splits) {
            crossover = unit->crossovers[index][channel / 2];
        }
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            bl_double2 low = rest[frame];
            if (splits) {
                bl_svf_outputs halves = bl_crossover_tick(
                    &crossover, &now->coefficients[index][now->moves[index] ? frame : 0], low);
                double share = (double)presence(unit, index, frame);
                low += share * (halves.low - low);
                rest[frame] = share * halves.high;
            }
            right[frame] = (float)low[1];
            left[frame] = (float)low[0];
            float a = __builtin_fabsf(left[frame]), b = __builtin_fabsf(right[frame]);
            float louder = a > b ? a : b;
            levels[frame] = levels[frame] > louder ? levels[frame] : louder;
        }
        if (splits) {
            unit->crossovers[index][channel / 2] = crossover;
        }
    }
}

/* Converts a band's levels to the factors for its sound. */
BL_INLINE void fill_factors(multiband_unit *unit, stretch *now, uint32_t band) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    float *values = now->levels[band];
    uint32_t frames = now->frames;
    bl_sliding_maximum(unit->maxima + (size_t)band * unit->maximum_stride, unit->maximum_levels,
                       unit->now, unit->hold + 1, values, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float threshold = bl_ramp_value(band_ramp(unit, band, BAND_THRESHOLD), frame);
        float over = bl_gain_to_decibels(values[frame]) - threshold;
        values[frame] = bl_soft_excess(over, bl_ramp_value(&ramps[PARAMETER_KNEE], frame));
    }
    bl_envelope_paces paces = {.hold = 0};
    bl_envelope_fill_paces(band_ramp(unit, band, BAND_ATTACK), unit->rate, paces.attack, frames);
    bl_envelope_fill_paces(band_ramp(unit, band, BAND_RELEASE), unit->rate, paces.release, frames);
    bl_envelope_follow(&unit->envelopes[band], &paces, values, frames);
    float reduction = 0;
    const bl_ramp *ratio = band_ramp(unit, band, BAND_RATIO);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        reduction = (1.0f - bl_slope_value(&unit->slopes[band], ratio, frame)) * values[frame];
        reduction = reduction > -MOST_EXPANSION ? reduction : -MOST_EXPANSION;
        float make_up = bl_ramp_value(band_ramp(unit, band, BAND_MAKE_UP), frame);
        float worked = bl_decibels_to_gain(make_up - reduction) - 1.0f;
        float passed = bl_ramp_value(band_ramp(unit, band, BAND_BYPASS), frame);
        float mix = 0.01f * bl_ramp_value(&ramps[PARAMETER_MIX], frame);
        float other = 1.0f - bl_ramp_value(band_ramp(unit, band, BAND_SOLO), frame);
        values[frame] = (1.0f + (1.0f - passed) * mix * worked) * (1.0f - now->solo[frame] * other);
    }
    bl_slope_advance(&unit->slopes[band], ratio, frames);
    bl_ramp_set(band_ramp(unit, band, BAND_GAIN_REDUCTION), reduction);
}

/* Adds the bands of a pair of channels; all bands below a crossover pass its all-pass. */
BL_INLINE void join(multiband_unit *unit, const stretch *now, float *const *output,
                    uint32_t channels, uint32_t channel) BL_NONBLOCKING {
    bl_double2 sum[BL_CHUNK_FRAMES] = {0};
    uint32_t other = channel + 1 < channels ? channel + 1 : channel;
    for (uint32_t band = 0; band < now->bands; band += 1) {
        if (band > 0 && band + 1 < now->bands) {
            bl_svf_state state = unit->all_passes[band][channel / 2];
            for (uint32_t frame = 0; frame < now->frames; frame += 1) {
                uint32_t place = now->moves[band] ? frame : 0;
                bl_svf_outputs split =
                    bl_svf_tick(&state, &now->coefficients[band][place], sum[frame]);
                bl_double2 turned = 2.0 * (split.low + split.high) - sum[frame];
                sum[frame] += (double)presence(unit, band, frame) * (turned - sum[frame]);
            }
            unit->all_passes[band][channel / 2] = state;
        }
        const float *left = unit->sound[band][channel];
        const float *right = unit->sound[band][other];
        const float *factors = now->levels[band];
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            sum[frame] += (bl_double2){(double)(factors[frame] * left[frame]),
                                       (double)(factors[frame] * right[frame])};
        }
    }
    bl_pair_write(output, channels, channel, now->first_frame, sum, now->frames);
}

BL_VECTOR_CLONES
void multiband_process(bl_unit *self, bl_io *io, uint32_t first_frame,
                       uint32_t frames) BL_NONBLOCKING {
    multiband_unit *unit = (multiband_unit *)self;
    bl_ramp *ramps = unit->base.parameters;
    uint32_t channels = unit->base.output_channel_count;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        now.first_frame = first_frame + done;
        now.frames =
            bl_frames_before_ends(ramps, PARAMETER_COUNT, bl_fewer(frames - done, BL_CHUNK_FRAMES));
        memset(now.levels, 0, sizeof now.levels);
        prepare(unit, &now);
        for (uint32_t channel = 0; channel < channels; channel += 2) {
            split(unit, &now, io->input, channels, channel);
        }
        for (uint32_t band = 0; band < now.bands; band += 1) {
            fill_factors(unit, &now, band);
        }
        for (uint32_t channel = 0; channel < channels; channel += 2) {
            join(unit, &now, io->output, channels, channel);
        }
        bl_ramps_advance(ramps, PARAMETER_COUNT, now.frames);
        unit->now += now.frames;
    }
}
