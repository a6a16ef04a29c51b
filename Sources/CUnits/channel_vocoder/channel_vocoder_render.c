/* The vocoder's sound: Dudley, "Remaking speech", J. Acoust. Soc. Am. 11 (2), 1939. The levels of
 * the voice's bands are imposed on the same bands of a carrier.
 *
 * The bands' gains rise by 3 dB an octave: a saw's harmonics fall by 6, of which the widths of the
 * bands restore 3. A saw then gives each band the level that the voice has there.
 */
#include "channel_vocoder/channel_vocoder.h"

#include <string.h>

#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "dsp/envelope.h"
#include "dsp/random_value.h"

/* The lowest and the highest edge, Hz and a part of the sample rate. */
#define LOWEST_EDGE 80.0
#define HIGHEST_EDGE 12000.0
#define HIGHEST_PART 0.45

/* The frequency above which unvoiced sounds (hissing) have their power, Hz. */
#define HISS_FREQUENCY 2500.0
/* Time constants, milliseconds: of the detection of hissing and of the carrier's power. */
#define HISS_TIME 5.0
#define POWER_TIME 50.0
/* The power below which no hissing is detected: -80 dB. */
#define SILENCE 1e-8f
/* The corner above which the noise falls like a saw's harmonics, Hz. */
#define NOISE_CORNER 100.0
/* The gain that makes the default as loud as the voice. */
#define OUTPUT_GAIN 8.0

enum { LANE_GROUPS = VOCODER_MOST_BANDS / BL_LANES };

static double range(const vocoder_unit *vocoder) BL_NONBLOCKING {
    return fmin(HIGHEST_EDGE, HIGHEST_PART * vocoder->base.sample_rate) / LOWEST_EDGE;
}

double vocoder_centre(const vocoder_unit *vocoder, uint32_t band) BL_NONBLOCKING {
    return LOWEST_EDGE * pow(range(vocoder), ((double)band + 0.5) / vocoder->bands);
}

/* Tunes the carrier's bank to the voice's bands, shifted by the formant. */
static void tune_carrier(vocoder_unit *vocoder) BL_NONBLOCKING {
    double period = 1 / vocoder->base.sample_rate;
    double ratio = pow(range(vocoder), 1.0 / vocoder->bands);
    double semitones = (double)bl_ramp_value(&vocoder->base.parameters[FORMANT], 0);
    double shift = exp2(semitones / 12);
    for (uint32_t band = 0; band < vocoder->bands; band += 1) {
        double centre = vocoder_centre(vocoder, band);
        double gain = OUTPUT_GAIN * sqrt(vocoder->bands * centre * shift / 20000);
        vocoder_bank_tune(&vocoder->carrier_bank, band, centre * shift * period, ratio, gain);
    }
    vocoder->base.stale = bl_ramp_is_moving(&vocoder->base.parameters[FORMANT]);
}

void vocoder_set_bands(vocoder_unit *vocoder) BL_NONBLOCKING {
    vocoder->bands = (uint32_t)(vocoder->base.parameters[BANDS].target + 0.5f);
    memset(&vocoder->voice_bank, 0, sizeof vocoder->voice_bank);
    memset(&vocoder->carrier_bank, 0, sizeof vocoder->carrier_bank);
    memset(&vocoder->voice_state, 0, sizeof vocoder->voice_state);
    memset(vocoder->carrier_states, 0, sizeof vocoder->carrier_states);
    memset(vocoder->envelopes, 0, sizeof vocoder->envelopes);
    double period = 1 / vocoder->base.sample_rate;
    double ratio = pow(range(vocoder), 1.0 / vocoder->bands);
    for (uint32_t band = 0; band < vocoder->bands; band += 1) {
        double centre = vocoder_centre(vocoder, band);
        vocoder_bank_tune(&vocoder->voice_bank, band, centre * period, ratio, 1);
        vocoder->hiss_bands[band] = centre >= HISS_FREQUENCY ? 1 : 0;
    }
    tune_carrier(vocoder);
}

/* Updates bands and formant at a line of the grid. */
static void look(vocoder_unit *vocoder) BL_NONBLOCKING {
    bool changes = (uint32_t)(vocoder->base.parameters[BANDS].target + 0.5f) != vocoder->bands;
    if (changes && vocoder->presence.target == 0 && !bl_ramp_is_moving(&vocoder->presence)) {
        vocoder_set_bands(vocoder);
        changes = false;
    }
    bl_declick(&vocoder->presence, changes ? 0 : 1, vocoder->base.sample_rate);
    if (vocoder->base.stale) {
        tune_carrier(vocoder);
    }
}

/* Follows the levels of eight bands, and sums their powers: of all, and of those that hiss. */
BL_INLINE void follow(vocoder_unit *vocoder, uint32_t band, const float *attack,
                      const float *release, bl_lanes *bands, bl_lanes *all, bl_lanes *hiss,
                      uint32_t frames) BL_NONBLOCKING {
    bl_lanes level = BL_LANES_AT(&vocoder->envelopes[band]);
    bl_lanes hisses = BL_LANES_AT(&vocoder->hiss_bands[band]);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_lanes way = __builtin_elementwise_abs(bands[frame]) - level;
        level += way * (way > 0.0f ? (bl_lanes)attack[frame] : (bl_lanes)release[frame]);
        bands[frame] = level;
        all[frame] += level * level;
        hiss[frame] += hisses * level * level;
    }
    BL_LANES_AT(&vocoder->envelopes[band]) = level;
}

/* Finds how much the voice hisses at each frame, and how much noise replaces the carrier. */
BL_INLINE void find_hissing(vocoder_unit *vocoder, const bl_lanes *all, const bl_lanes *hiss,
                            float *weights, uint32_t frames) BL_NONBLOCKING {
    double pace = (double)bl_envelope_pace((float)(HISS_TIME * 0.001 * vocoder->base.sample_rate));
    const bl_ramp *sibilance = &vocoder->base.parameters[SIBILANCE];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float share = bl_lanes_sum(&hiss[frame]) / (bl_lanes_sum(&all[frame]) + SILENCE);
        share = 2.0f * share - 0.5f;
        share = share < 0.0f ? 0.0f : share > 1.0f ? 1.0f : share;
        vocoder->hissing += pace * ((double)share - vocoder->hissing);
        weights[frame] = (float)vocoder->hissing * 0.01f * bl_ramp_value(sibilance, frame);
    }
}

/* The integral of the cubic B-spline from -2 to -`distance`: the smoothed shape of a step. */
BL_INLINE double step_residue(double distance) BL_NONBLOCKING {
    double far = 2 - distance;
    double near = 1 - distance;
    double outer = far * far * far * far / 24;
    double inner = 1.0 / 24 + near / 6 + near * near / 4 + near * near * near / 6 -
                   near * near * near * near / 8;
    double residue = distance < 1 ? inner : outer;
    return distance < 2 ? residue : 0;
}

/* Writes a saw from -1 to 1, its step smoothed over four frames: Välimäki, Pekonen and Nam,
   "Perceptually informed synthesis of bandlimited classical waveforms using integrated polynomial
   interpolation", J. Acoust. Soc. Am. 131 (1), 2012. */
BL_INLINE void fill_saw(vocoder_unit *vocoder, float *saw, uint32_t frames) BL_NONBLOCKING {
    double period = 1 / vocoder->base.sample_rate;
    const bl_ramp *pitch = &vocoder->base.parameters[PITCH];
    double phase = vocoder->phase;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double step = (double)bl_ramp_value(pitch, frame) * period;
        double smooth = step_residue(phase / step) - step_residue((1 - phase) / step);
        saw[frame] = (float)(2 * phase - 1 + 2 * smooth);
        phase += step;
        phase -= phase >= 1 ? 1 : 0;
    }
    vocoder->phase = phase;
}

/* Adds noise, as loud as the carrier, where the voice hisses. */
BL_INLINE void add_noise(vocoder_unit *vocoder, float (*carriers)[VOCODER_GRID],
                         const float *weights, uint32_t channels, uint32_t frames) BL_NONBLOCKING {
    double rate = vocoder->base.sample_rate;
    double pace = (double)bl_envelope_pace((float)(POWER_TIME * 0.001 * rate));
    double corner = 1 - exp(-6.28318530717958648 * NOISE_CORNER / rate);
    /* Noise within ±1 has a mean square of 1/3. */
    double scale = sqrt(3 * (2 - corner) / corner);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double power = 0;
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            double sample = (double)carriers[channel][frame];
            power += sample * sample / channels;
        }
        vocoder->carrier_power += pace * (power - vocoder->carrier_power);
        double loudness = scale * sqrt(vocoder->carrier_power);
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            double white = (double)bl_random_value(channel, (int64_t)(vocoder->now + frame));
            vocoder->noise[channel] += corner * (white - vocoder->noise[channel]);
            float noise = (float)(loudness * vocoder->noise[channel]);
            float *carrier = &carriers[channel][frame];
            *carrier += weights[frame] * (noise - *carrier);
        }
    }
}

/* Plays frames up to a line of the grid. */
BL_INLINE void play(vocoder_unit *vocoder, float *const *input, float *const *output,
                    uint32_t first, uint32_t frames) BL_NONBLOCKING {
    bl_ramp *ramps = vocoder->base.parameters;
    uint32_t inputs = vocoder->base.input_channel_count;
    uint32_t outputs = vocoder->base.output_channel_count;
    float rate = (float)(vocoder->base.sample_rate * 0.001);
    float voice[VOCODER_GRID], weights[VOCODER_GRID];
    float attack[BL_CHUNK_FRAMES], release[BL_CHUNK_FRAMES];
    float carriers[VOCODER_CHANNELS][VOCODER_GRID];
    bl_lanes levels[LANE_GROUPS][VOCODER_GRID];
    bl_lanes all[VOCODER_GRID] = {0}, hiss[VOCODER_GRID] = {0};
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float left = input[0][first + frame], right = input[inputs - 1][first + frame];
        voice[frame] = 0.5f * (left + right);
    }
    bl_envelope_fill_paces(&ramps[ATTACK], rate, attack, frames);
    bl_envelope_fill_paces(&ramps[RELEASE], rate, release, frames);
    for (uint32_t band = 0; band < vocoder->bands; band += BL_LANES) {
        bl_lanes *own = levels[band / BL_LANES];
        vocoder_bank_run(&vocoder->voice_bank, &vocoder->voice_state, band, voice, own, frames);
        follow(vocoder, band, attack, release, own, all, hiss, frames);
    }
    find_hissing(vocoder, all, hiss, weights, frames);
    bool is_connected = vocoder->carrier != NULL;
    /* One carrier serves all channels. */
    uint32_t voices = is_connected ? bl_fewer(vocoder->carrier->channel_count, outputs) : 1;
    if (is_connected) {
        for (uint32_t channel = 0; channel < voices; channel += 1) {
            memcpy(carriers[channel], vocoder->carrier->channels[channel] + first,
                   frames * sizeof(float));
        }
    } else {
        fill_saw(vocoder, carriers[0], frames);
    }
    add_noise(vocoder, carriers, weights, voices, frames);
    for (uint32_t channel = 0; channel < voices; channel += 1) {
        bl_lanes sums[VOCODER_GRID] = {0}, bands[VOCODER_GRID];
        for (uint32_t band = 0; band < vocoder->bands; band += BL_LANES) {
            vocoder_bank_run(&vocoder->carrier_bank, &vocoder->carrier_states[channel], band,
                             carriers[channel], bands, frames);
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                sums[frame] += levels[band / BL_LANES][frame] * bands[frame];
            }
        }
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            carriers[channel][frame] = bl_lanes_sum(&sums[frame]);
        }
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float mix = 0.01f * bl_ramp_value(&ramps[MIX], frame);
        float level = bl_decibels_to_gain(bl_ramp_value(&ramps[LEVEL], frame)) *
                      bl_ramp_value(&vocoder->presence, frame);
        float dry[VOCODER_CHANNELS] = {input[0][first + frame], input[inputs - 1][first + frame]};
        for (uint32_t channel = 0; channel < outputs; channel += 1) {
            float wet = level * carriers[channel < voices ? channel : 0][frame];
            output[channel][first + frame] = dry[channel] + mix * (wet - dry[channel]);
        }
    }
    bl_ramps_advance(ramps, PARAMETER_COUNT, frames);
    bl_ramp_advance(&vocoder->presence, frames);
    vocoder->now += frames;
}

BL_VECTOR_CLONES
void vocoder_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                     uint32_t frames) BL_NONBLOCKING {
    vocoder_unit *vocoder = (vocoder_unit *)unit;
    for (uint32_t done = 0, count; done < frames; done += count) {
        uint32_t passed = (uint32_t)(vocoder->now % VOCODER_GRID);
        if (passed == 0) {
            look(vocoder);
        }
        count = bl_fewer(frames - done, VOCODER_GRID - passed);
        play(vocoder, io->input, io->output, first_frame + done, count);
    }
}
