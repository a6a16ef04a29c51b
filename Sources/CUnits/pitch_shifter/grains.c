#include "pitch_shifter/grains.h"

#include "dsp/sine.h"

/* The search range for a crest around its expected position, periods; and the share of the way that
   the mark moves to it. */
#define REACH 0.2
#define PULL 0.25
/* The averaging time of the energy, seconds. */
#define AVERAGE 0.0005

void bl_grain_marks_follow(bl_grain_marks *marks, const bl_splice_past *past, double *ages,
                           uint32_t frames) BL_NONBLOCKING {
    float pace = (float)(1 / (AVERAGE * past->rate));
    marks->period = past->period > 0 ? past->period : marks->period;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float sample = past->ring[(past->write - frames + frame) & (past->frames - 1)];
        marks->energy += pace * (sample * sample - marks->energy);
        marks->age += 1;
        if (marks->age >= (1 - REACH) * marks->period && marks->energy > marks->highest) {
            marks->highest = marks->energy;
            marks->highest_age = marks->age;
        }
        if (marks->age >= (1 + REACH) * marks->period) {
            double off = marks->highest > 0 ? marks->highest_age - marks->period : 0;
            marks->age -= marks->period + PULL * off;
            marks->highest = 0;
        }
        ages[frame] = marks->age;
    }
}

/* Starts a grain around the latest readable crest. `age`: of a mark; `late`: frames since the grain
   was due, below 1. */
static void begin(bl_grains *voice, double period, double age, double factor, double formants,
                  double late) BL_NONBLOCKING {
    if (voice->count == BL_MOST_GRAINS) {
        return;
    }
    double hop = period / factor;
    double length = fmin(2 * period / formants, (BL_MOST_GRAINS - 1) * hop);
    double delay = age - late + 0.5 * length * formants;
    double nearest = BL_SPLICE_NEAREST + fmax(0, length * (formants - 1));
    delay -= period * floor((delay - nearest) / period);
    voice->playing[voice->count] = (bl_grain){delay + late * (1 - formants), late / length,
                                              1 / length, (float)(2 * hop / length * sqrt(factor))};
    voice->count += 1;
}

static float next(bl_grain *grain, const bl_splice_past *past, uint32_t place,
                  double formants) BL_NONBLOCKING {
    float window = bl_sine_of_turns((float)(0.5 * grain->place)); /* its square is a Hann window */
    float sample = bl_splice_past_at(past, place, grain->delay);
    grain->delay += 1 - formants;
    grain->place += grain->step;
    return grain->gain * window * window * sample;
}

void bl_grains_process(bl_grains *voice, const bl_splice_past *past, double period,
                       const double *ages, double factor, double formants, float *output,
                       uint32_t frames) BL_NONBLOCKING {
    double longest = past->frames - frames - BL_LAGRANGE_TAPS;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        if (voice->wait <= 0) {
            begin(voice, period, ages[frame], factor, formants, -voice->wait);
            voice->wait += period / factor;
        }
        voice->wait -= 1;
        output[frame] = 0;
        uint32_t kept = 0;
        for (uint32_t index = 0; index < voice->count; index += 1) {
            bl_grain *grain = &voice->playing[index];
            grain->delay = fmin(longest, fmax(BL_SPLICE_NEAREST, grain->delay));
            output[frame] += next(grain, past, past->write - frames + frame, formants);
            if (grain->place < 1) {
                voice->playing[kept] = *grain;
                kept += 1;
            }
        }
        voice->count = kept;
    }
}
