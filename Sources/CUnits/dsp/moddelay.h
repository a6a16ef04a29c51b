/* A delay line that is read a whole number of frames back, or at any place, also a moving one. It
   is emptied in constant time. */
#pragma once

#include "chunk.h"
#include "sinc.h"

enum {
    /* The shortest delay between two frames that can be read. Frames */
    BL_MODDELAY_SHORTEST = BL_SINC_TAPS / 2,
    /* Frames of the ring beyond the longest delay: the taps, and a stretch that is written. */
    BL_MODDELAY_MARGIN = BL_SINC_TAPS + 64
};

/* Where all channels of a delay stand. */
typedef struct bl_moddelay {
    uint32_t mask;  /* the ring's frames, a power of two, less 1 */
    uint32_t write; /* where the next frame goes */
    uint32_t valid; /* frames in the ring since it was emptied */
} bl_moddelay;

/* Sets the ring up for delays up to `longest` frames. [control] */
BL_INLINE void bl_moddelay_size(bl_moddelay *delay, double longest) {
    uint32_t frames = 256;
    while (frames < longest + BL_MODDELAY_MARGIN) {
        frames *= 2;
    }
    *delay = (bl_moddelay){.mask = frames - 1};
}

/* Floats of one channel's line: the first frames of the ring are kept again past its end, so that
   no taps wrap. [any] */
BL_INLINE uint32_t bl_moddelay_floats(const bl_moddelay *delay) BL_NONBLOCKING {
    return delay->mask + 1 + BL_SINC_TAPS;
}

/* Empties the ring: from here on only frames count that come now, and the silence that taps may
   touch before them. `lines` holds `channels` lines. [render] */
BL_INLINE void bl_moddelay_empty(bl_moddelay *delay, float *lines,
                                 uint32_t channels) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        float *line = lines + (size_t)channel * bl_moddelay_floats(delay);
        for (uint32_t frame = 0; frame < 2 * BL_SINC_TAPS; frame += 1) {
            line[frame] = 0;
        }
    }
    delay->write = 2 * BL_SINC_TAPS;
    delay->valid = 2 * BL_SINC_TAPS;
}

/* At most `frames` frames that can be read before the first of them is written, where no delay is
   below `shortest` frames. [render] */
BL_INLINE uint32_t bl_moddelay_readable(double shortest, uint32_t frames) BL_NONBLOCKING {
    uint32_t whole = shortest > 0 ? (uint32_t)shortest : 0;
    return bl_fewer(frames, whole > BL_MODDELAY_SHORTEST ? whole - (BL_MODDELAY_SHORTEST - 1) : 1);
}

/* Writes the next frames of a channel. [render] */
BL_INLINE void bl_moddelay_write(const bl_moddelay *delay, float *line, const float *samples,
                                 uint32_t frames) BL_NONBLOCKING {
    uint32_t first = bl_fewer(frames, delay->mask + 1 - delay->write);
    memcpy(line + delay->write, samples, first * sizeof(float));
    memcpy(line, samples + first, (frames - first) * sizeof(float));
    if (delay->write < BL_SINC_TAPS || first < frames) {
        memcpy(line + delay->mask + 1, line, BL_SINC_TAPS * sizeof(float));
    }
}

/* The frames `back` frames before the next ones, `back` as many as `frames` or more. [render] */
BL_INLINE void bl_moddelay_copy(const bl_moddelay *delay, const float *line, uint32_t back,
                                float *samples, uint32_t frames) BL_NONBLOCKING {
    uint32_t place = (delay->write - back) & delay->mask;
    uint32_t silent = back > delay->valid ? bl_fewer(back - delay->valid, frames) : 0;
    uint32_t first = bl_fewer(frames, delay->mask + 1 - place);
    memcpy(samples, line + place, first * sizeof(float));
    memcpy(samples + first, line, (frames - first) * sizeof(float));
    memset(samples, 0, silent * sizeof(float));
}

/* The same at a place of its own for each frame: `backs` in frames, BL_MODDELAY_SHORTEST or more;
   `frames` at most bl_moddelay_readable's. [render] */
BL_INLINE void bl_moddelay_read(const bl_moddelay *delay, const bl_sinc *sinc, const float *line,
                                const double *backs, float *samples,
                                uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        uint32_t whole = (uint32_t)backs[frame];
        float part = (float)(1 - (backs[frame] - whole));
        uint32_t oldest = whole + BL_SINC_TAPS / 2; /* frames back */
        bool written = oldest <= delay->valid + frame;
        const float *taps = line + ((delay->write + frame - oldest) & delay->mask);
        samples[frame] = written ? bl_sinc_read(sinc, taps, part) : 0;
    }
}

/* Lets `frames` frames pass, after all channels were written. [render] */
BL_INLINE void bl_moddelay_advance(bl_moddelay *delay, uint32_t frames) BL_NONBLOCKING {
    delay->write = (delay->write + frames) & delay->mask;
    delay->valid = bl_fewer(delay->valid + frames, delay->mask + 1);
}
