/* The sound of the sampler: each loop covers the frames of one voice. */
#include "dsp/crossfade.h"
#include "dsp/decibels.h"
#include "sampler/sampler.h"

/* The fade time of a voice whose frames are late, seconds. */
#define LATE_TIME 0.004f

/* The decay of a voice's loudness in a step of the grid: 6 dB in 46 ms at 48 kHz. */
#define LOUDNESS_FALL 0.99f

enum {
    /* The most frames that the interpolation uses on each side of a position. */
    REACH = BL_SINC_TAPS / 2 * (int)BL_SAMPLER_WIDEST,
    /* Frames of a sample that a voice reads at a time, between two lines of the grid. */
    WINDOW = (int)(BL_SAMPLER_GRID * BL_SAMPLER_LARGEST_STEP) + 2 * REACH + 1
};

/* Copies frames in memory, from that index on. */
BL_INLINE void copy_kept(const bl_sample *sample, uint32_t channel, int64_t place, int64_t count,
                         float *to) BL_NONBLOCKING {
    if (sample->words[channel] != NULL) {
        const int16_t *from = sample->words[channel] + place;
        for (int64_t frame = 0; frame < count; frame += 1) {
            to[frame] = (float)from[frame] * 0x1p-15f;
        }
    } else {
        const float *from = sample->floats[channel] + place;
        for (int64_t frame = 0; frame < count; frame += 1) {
            to[frame] = from[frame];
        }
    }
}

/* Copies frames of a sample after its head. */
static void copy_later(const bl_sampler_voice *voice, uint32_t channel, int64_t first,
                       uint32_t count, float *to) BL_NONBLOCKING {
    const bl_sample *sample = voice->region->sample;
    int64_t start = sample->middle_start, end = sample->middle_end;
    for (uint32_t done = 0, part; done < count; done += part) {
        int64_t place = first + done, most = count - done;
        bool is_kept = place >= start && place < end;
        int64_t limit = is_kept ? end : place < start ? start : sample->frames;
        part = (uint32_t)(most < limit - place ? most : limit - place);
        if (is_kept) {
            copy_kept(sample, channel, sample->head + place - start, part, to + done);
        } else {
            bl_sample_stream_copy(voice->stream, sample, channel, place, part, to + done);
        }
    }
}

/* Copies frames of a voice's sample, with silence before and after it. */
BL_INLINE void copy(const bl_sampler_voice *voice, uint32_t channel, int64_t first, uint32_t count,
                    float *to) BL_NONBLOCKING {
    const bl_sample *sample = voice->region->sample;
    int64_t before = first < 0 ? -first : 0;
    before = before < count ? before : count;
    int64_t end = first + count < sample->frames ? first + count : sample->frames;
    int64_t begin = first + before;
    int64_t inside = end > begin ? end - begin : 0;
    int64_t kept = (end < sample->head ? end : sample->head) - begin;
    kept = kept > 0 ? kept : 0;
    for (int64_t frame = 0; frame < before; frame += 1) {
        to[frame] = 0;
    }
    copy_kept(sample, channel, begin, kept, to + before);
    if (kept < inside) {
        copy_later(voice, channel, begin + kept, (uint32_t)(inside - kept), to + before + kept);
    }
    for (int64_t frame = before + inside; frame < count; frame += 1) {
        to[frame] = 0;
    }
}

/* Fades in the frames before a loop's start over the loop's end, at equal power. */
BL_INLINE void cross_fade(const bl_sampler_voice *voice, uint32_t channel, int64_t first,
                          uint32_t count, float *to) BL_NONBLOCKING {
    const bl_region *region = voice->region;
    int64_t begin = (int64_t)region->loop_end - voice->cross_fade;
    int64_t length = (int64_t)region->loop_end - region->loop_start;
    float share = 1 / (float)(int32_t)voice->cross_fade;
    for (uint32_t frame = 0; frame < count; frame += 1) {
        int64_t place = first + frame;
        if (place >= begin && place < (int64_t)region->loop_end) {
            float in = (float)(int32_t)(place - begin) * share;
            float other;
            copy(voice, channel, place - length, 1, &other);
            to[frame] = bl_crossfade_mix(to[frame], other, in, BL_UNCORRELATED);
        }
    }
}

/* Copies frames as the voice plays them: around its loop, including those before a position in
   it. */
BL_INLINE void gather(const bl_sampler_voice *voice, uint32_t channel, int64_t first,
                      uint32_t count, float *to) BL_NONBLOCKING {
    const bl_region *region = voice->region;
    int64_t start = region->loop_start, end = region->loop_end;
    bool has_loop = voice->loops || voice->looped > 0;
    for (uint32_t done = 0, part; done < count; done += part) {
        int64_t place = first + done, most = count - done;
        if (voice->looped > 0 && place < start) {
            most = most < start - place ? most : start - place;
            place += voice->looped;
            place = place < end ? place : start + (place - start) % (end - start);
        } else if (voice->loops && place >= end) {
            place = start + (place - start) % (end - start);
        }
        if (has_loop && place < end) {
            most = most < end - place ? most : end - place;
        }
        part = (uint32_t)most;
        copy(voice, channel, place, part, to + done);
        if (voice->loops && voice->cross_fade > 0 &&
            place + most > end - (int64_t)voice->cross_fade) {
            cross_fade(voice, channel, place, part, to + done);
        }
    }
}

/* Fills in the read position of each frame: whole frames after the window's first, and a fraction.
   Returns the number of frames with sound. */
BL_INLINE uint32_t fill_places(bl_sampler_voice *voice, uint32_t first, uint32_t frames,
                               uint32_t *whole, float *parts) BL_NONBLOCKING {
    int64_t base = voice->place >> 32 << 32;
    int64_t end = (int64_t)voice->region->end << 32;
    uint32_t frame = 0;
    for (; frame < frames && (voice->loops || voice->place < end); frame += 1) {
        int64_t since = voice->place - base;
        whole[frame] = (uint32_t)(since >> 32);
        parts[frame] = (float)(int32_t)((uint32_t)since >> 8) * 0x1p-24f;
        voice->place += (int64_t)(bl_ramp_value(&voice->step, first + frame) * 0x1p32f);
    }
    return frame;
}

/* Wraps the voice's position into its loop. */
BL_INLINE void wrap(bl_sampler_voice *voice) BL_NONBLOCKING {
    const bl_region *region = voice->region;
    int64_t length = (int64_t)region->loop_end - region->loop_start;
    int64_t past = (voice->place >> 32) - region->loop_end;
    if (voice->loops && past >= 0) {
        int64_t back = (past / length + 1) * length;
        voice->place -= (int64_t)((uint64_t)back << 32);
        voice->looped += back;
    }
}

/* Filters both channels in place. */
BL_INLINE void filter(bl_sampler_voice *voice, uint32_t first, float *left, float *right,
                      uint32_t frames) BL_NONBLOCKING {
    int32_t type = voice->region->filter;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 input = {(double)left[frame], (double)right[frame]};
        bl_double2 output;
        bl_svf_coefficients now = {.low = bl_ramp_value(&voice->low, first + frame)};
        if (type <= BL_FILTER_HIGH_PASS_1) {
            /* A one-pole filter by trapezoidal integration. */
            bl_double2 move = (input - voice->filter.low) * (double)now.low;
            output = voice->filter.low + move;
            voice->filter.low = output + move;
            output = type == BL_FILTER_HIGH_PASS_1 ? input - output : output;
        } else {
            now.band = bl_ramp_value(&voice->band, first + frame);
            now.loss = bl_ramp_value(&voice->loss, first + frame);
            now.damping = bl_ramp_value(&voice->damping, first + frame);
            bl_svf_outputs parts = bl_svf_tick(&voice->filter, &now, input);
            output = type == BL_FILTER_LOW_PASS    ? parts.low
                     : type == BL_FILTER_HIGH_PASS ? parts.high
                     : type == BL_FILTER_NOTCH     ? parts.low + parts.high
                                                   : input - parts.low - parts.high;
        }
        left[frame] = (float)output[0];
        right[frame] = (float)output[1];
    }
}

/* Reads the value at `part` between frames[0] and frames[1], of a sample that is read `step` frames
   at a time: with the interpolation's kernel widened by as much, to suppress aliases. */
BL_INLINE float read_between(const bl_sampler_unit *unit, const float *frames, float part,
                             float step) BL_NONBLOCKING {
    if (step <= 1) {
        return bl_sinc_read(&unit->sinc, frames - (BL_SINC_TAPS / 2 - 1), part);
    }
    float width = step < BL_SAMPLER_WIDEST ? step : BL_SAMPLER_WIDEST;
    /* Kernel positions per frame, and that of the first frame. */
    float scale = BL_SINC_PLACES / width;
    int32_t reach = (int32_t)(width * (BL_SINC_TAPS / 2) + 3.999f) / 4 * 4;
    float begin = BL_SINC_PLACES * (BL_SINC_TAPS / 2) - ((float)(reach - 1) + part) * scale;
    float sums[8] = {0};
    for (int32_t tap = 0; tap < 2 * reach; tap += 8) {
        for (int32_t lane = 0; lane < 8; lane += 1) {
            float place = begin + (float)(tap + lane) * scale;
            place = place > 0 ? place : 0;
            place = place < BL_SAMPLER_KERNEL - 1 ? place : BL_SAMPLER_KERNEL - 1;
            int32_t whole = (int32_t)place;
            float low = unit->kernel[whole], high = unit->kernel[whole + 1];
            sums[lane] +=
                frames[tap + lane - (reach - 1)] * (low + (place - (float)whole) * (high - low));
        }
    }
    return ((sums[0] + sums[4]) + (sums[2] + sums[6]) +
            ((sums[1] + sums[5]) + (sums[3] + sums[7]))) /
           width;
}

/* Keeps the largest magnitude of a voice's first channel. The bits of magnitudes have the same
   order, and their maximum, unlike that of floats, vectorises. */
BL_INLINE void note_peak(bl_sampler_voice *voice, const float *samples, const float *levels,
                         uint32_t frames) BL_NONBLOCKING {
    int32_t peak = 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float value = samples[frame] * levels[frame];
        int32_t bits;
        memcpy(&bits, &value, sizeof bits);
        bits &= INT32_MAX;
        peak = bits > peak ? bits : peak;
    }
    float largest;
    memcpy(&largest, &peak, sizeof largest);
    voice->peak = largest > voice->peak ? largest : voice->peak;
}

/* Adds a voice to one or two channels. */
BL_INLINE void add_voice(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                         float sum[2][BL_SAMPLER_GRID], uint32_t frames) BL_NONBLOCKING {
    uint32_t first = bl_fewer(voice->wait, frames);
    voice->wait -= first;
    float levels[BL_SAMPLER_GRID], parts[BL_SAMPLER_GRID], samples[2][BL_SAMPLER_GRID];
    uint32_t whole[BL_SAMPLER_GRID];
    float window[WINDOW];
    int64_t base = (voice->place >> 32) - (REACH - 1);
    uint32_t wanted = frames - first;
    uint32_t leveled = wanted > 0 ? bl_sampler_fill_levels(unit, voice, levels, wanted) : 0;
    uint32_t count = fill_places(voice, first, leveled, whole, parts);
    uint32_t channels = voice->region->sample->channels;
    for (uint32_t channel = 0; channel < channels && count > 0; channel += 1) {
        gather(voice, channel, base, whole[count - 1] + 2 * REACH, window);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            samples[channel][frame] =
                read_between(unit, window + whole[frame] + (REACH - 1), parts[frame],
                             bl_ramp_value(&voice->step, first + frame));
        }
    }
    float *other = samples[channels - 1];
    if (voice->region->cutoff > 0) {
        filter(voice, first, samples[0], other, count);
    }
    bool is_mono = unit->base.output_channel_count == 1;
    for (uint32_t frame = 0; frame < count; frame += 1) {
        float left = samples[0][frame] * levels[frame] * bl_ramp_value(&voice->left, first + frame);
        float right = other[frame] * levels[frame] * bl_ramp_value(&voice->right, first + frame);
        sum[0][first + frame] += is_mono && channels == 2 ? left + right : left;
        sum[1][first + frame] += right;
    }
    note_peak(voice, samples[0], levels, count);
    if (count < leveled) {
        voice->stage = BL_VOICE_FREE; /* the sample has ended */
    }
    wrap(voice);
    bl_ramp *ramps[] = {&voice->step, &voice->left, &voice->right,  &voice->band,
                        &voice->low,  &voice->loss, &voice->damping};
    for (uint32_t index = 0; index < sizeof ramps / sizeof ramps[0]; index += 1) {
        bl_ramp_advance(ramps[index], frames);
    }
    voice->age += frames;
}

/* Fades out a voice for which the disk is too slow, while there are frames left to fade. */
static void keep_in_time(bl_sampler_unit *unit, bl_sampler_voice *voice) BL_NONBLOCKING {
    const bl_region *region = voice->region;
    float step = bl_ramp_value(&voice->step, 0);
    step = step > voice->step.target ? step : voice->step.target;
    double frames = (double)LATE_TIME * unit->base.sample_rate + 2 * BL_SAMPLER_GRID;
    int64_t place = voice->place >> 32;
    int64_t end = place + (int64_t)(frames * (double)step) + REACH;
    int64_t most = voice->loops ? region->loop_end : region->end;
    end = end < most ? end : most;
    bool is_loaded = bl_sample_stream_advance(voice->stream, region->sample, place - REACH, end);
    if (!is_loaded && voice->stage != BL_VOICE_FADE) {
        bl_sampler_fade_voice(unit, voice, LATE_TIME);
        unit->underruns += 1;
    }
}

/* Advances the controllers. */
BL_INLINE void advance_channels(bl_sampler_unit *unit, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        bl_sampler_channel *own = &unit->channels[channel];
        for (uint32_t word = 0; word < 3; word += 1) {
            for (uint64_t bits = own->moving[word]; bits != 0; bits &= bits - 1) {
                uint32_t bit = (uint32_t)__builtin_ctzll(bits);
                bl_ramp *ramp = &own->sources[64 * word + bit];
                bl_ramp_advance(ramp, frames);
                if (!bl_ramp_is_moving(ramp)) {
                    own->moving[word] &= ~((uint64_t)1 << bit);
                }
            }
        }
    }
}

BL_VECTOR_CLONES void bl_sampler_process(bl_sampler_unit *unit, float *const *output,
                                         uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    bl_ramp *values = unit->base.parameters;
    bl_ramp *level = &values[BL_SAMPLER_LEVEL];
    bl_ramp low_cut = {.target = BL_LOW_CUT_OFF};
    for (uint32_t done = 0, count; done < frames; done += count) {
        uint32_t ahead = BL_SAMPLER_GRID - (uint32_t)(unit->now % BL_SAMPLER_GRID);
        count = bl_frames_before_ends(values, BL_SAMPLER_PARAMETER_COUNT,
                                      bl_fewer(frames - done, ahead));
        float sum[2][BL_SAMPLER_GRID] = {{0}};
        for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
            bl_sampler_voice *voice = &unit->voices[slot];
            if (voice->stage == BL_VOICE_FREE) {
                continue;
            }
            if (ahead == BL_SAMPLER_GRID) {
                float former = LOUDNESS_FALL * voice->loudness;
                float present = voice->peak * voice->gain;
                voice->loudness = present > former ? present : former;
                voice->peak = 0;
            }
            if (voice->fresh || ahead == BL_SAMPLER_GRID) {
                bl_sampler_control(unit, voice, ahead);
                if (voice->stream != NULL) {
                    keep_in_time(unit, voice);
                }
            }
            add_voice(unit, voice, sum, count);
            if (voice->stage == BL_VOICE_FREE) {
                bl_sampler_end_voice(voice);
            }
        }
        bl_wet_cut_process(&unit->cut, &low_cut, &values[BL_SAMPLER_HIGH_CUT],
                           unit->base.sample_rate, sum[0], sum[1], count);
        for (uint32_t channel = 0; channel < unit->base.output_channel_count; channel += 1) {
            float *to = output[channel] + first_frame + done;
            for (uint32_t frame = 0; frame < count; frame += 1) {
                to[frame] = sum[channel][frame] * bl_fader_gain(bl_ramp_value(level, frame));
            }
        }
        bl_ramps_advance(values, BL_SAMPLER_PARAMETER_COUNT, count);
        advance_channels(unit, count);
        unit->now += count;
    }
}
