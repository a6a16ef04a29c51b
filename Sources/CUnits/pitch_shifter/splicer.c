#include "pitch_shifter/splicer.h"

#include <math.h>
#include <string.h>

/* The crossfade time, if the factor allows it, seconds. */
#define FADE 0.008
/* The least distance of a splice, seconds. */
#define DISTANCE 0.01
/* The length of the past, seconds. */
#define PAST 0.15
/* The lag below which two lags' similarity is random. */
#define SHORTEST_LAG 0.012
#define LONGEST_LAG 0.03

uint32_t bl_splice_frames(double sample_rate) {
    uint32_t frames = 1;
    while (frames < PAST * sample_rate) {
        frames *= 2;
    }
    return frames;
}

void bl_splice_reset(bl_splice_past *past, double sample_rate) BL_NONBLOCKING {
    memset(past->ring, 0, past->frames * sizeof(float));
    past->write = 0;
    past->rate = sample_rate;
    past->period = 0;
    past->resemblance = 0.02 * sample_rate;
    past->results = 0;
}

void bl_splice_learn(bl_splice_past *past, const bl_pitch_tracker *tracker) BL_NONBLOCKING {
    if (tracker->results == past->results) {
        return;
    }
    past->results = tracker->results;
    double frequency = (double)tracker->result.frequency;
    past->period = frequency > 0 ? past->rate / frequency : 0;
    uint32_t first = (uint32_t)(SHORTEST_LAG * tracker->rate), best = first;
    uint32_t last = (uint32_t)(LONGEST_LAG * tracker->rate);
    for (uint32_t lag = first; lag <= last && lag < BL_PITCH_LAGS; lag += 1) {
        best = tracker->similarity[lag] > tracker->similarity[best] ? lag : best;
    }
    past->resemblance = (double)best * tracker->divisor;
}

void bl_splice_write(bl_splice_past *past, const float *input, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        past->ring[(past->write + frame) & (past->frames - 1)] = input[frame];
    }
    past->write += frames;
}

/* Starts a splice if the voice leaves the readable range. */
static void splice(bl_splicer *voice, const bl_splice_past *past, double factor) BL_NONBLOCKING {
    double speed = fabs(factor - 1); /* frames of delay per frame */
    double fade = fmin(FADE, 1.5 * FADE / fmax(speed, 1e-9)) * past->rate;
    double least = fmax(DISTANCE * past->rate, 1.1 * speed * fade), distance = past->resemblance;
    if (past->period > 0) {
        distance = past->period * ceil(least / past->period);
    }
    distance = fmax(distance, least);
    double near = BL_SPLICE_NEAREST + (factor > 1 ? speed * fade : 0);
    if (factor > 1 ? voice->delay >= near : voice->delay < near + distance) {
        return;
    }
    voice->next = voice->delay + (factor > 1 ? distance : -distance);
    voice->fade.frames = (uint32_t)fade;
    bl_crossfade_begin(&voice->fade);
}

void bl_splicer_process(bl_splicer *voice, const bl_splice_past *past, double factor, float *output,
                        uint32_t frames) BL_NONBLOCKING {
    uint32_t place = past->write - frames;
    double longest = past->frames - frames - BL_LAGRANGE_TAPS;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        if (voice->fade.left == 0) {
            splice(voice, past, factor);
        }
        float now = bl_splice_past_at(past, place + frame, voice->delay);
        voice->delay = fmin(longest, fmax(BL_SPLICE_NEAREST, voice->delay + 1 - factor));
        if (voice->fade.left > 0) {
            float next = bl_splice_past_at(past, place + frame, voice->next);
            float x = (float)voice->fade.left / (float)voice->fade.frames;
            now = bl_crossfade_mix(next, now, x * x * (3 - 2 * x), BL_CORRELATED);
            voice->next = fmin(longest, fmax(BL_SPLICE_NEAREST, voice->next + 1 - factor));
        }
        if (bl_crossfade_advance(&voice->fade, 1)) {
            voice->delay = voice->next;
        }
        output[frame] = now;
    }
}
