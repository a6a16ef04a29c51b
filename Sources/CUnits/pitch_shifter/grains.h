/* Moves a tone by a factor and leaves its formants where they are: grains of two periods, each
 * around a crest of the tone, follow each other at the new period: pitch-synchronous overlap-add,
 * Moulines and Charpentier, "Pitch-synchronous waveform processing techniques for text-to-speech
 * synthesis using diphones", Speech Communication 9(5), 1990; live after Lent 1989 (splicer.h).
 * Grains that are read faster or slower move the formants. */
#pragma once

#include "pitch_shifter/splicer.h"

/* The most that a voice plays at once; where more would be, they are shorter. */
enum { BL_MOST_GRAINS = 16 };

/* Where the tone has its crests: once a period. */
typedef struct bl_grain_marks {
    double period;         /* of the last tone, frames; 0: none so far */
    double age;            /* of the last mark, frames */
    double highest_age;    /* `age` where the sound was loudest */
    float energy, highest; /* of the sound; where it was loudest */
} bl_grain_marks;

typedef struct bl_grain {
    double delay;       /* of the place that is read, frames */
    double place, step; /* in the window, 0 to 1; per frame */
    float gain;
} bl_grain;

/* A voice. */
typedef struct bl_grains {
    bl_grain playing[BL_MOST_GRAINS];
    uint32_t count;
    double wait; /* until the next grain begins, frames */
} bl_grains;

/* Follows the crests through the frames that were written last; `ages`: of the last mark, at each
   of them. [render] */
void bl_grain_marks_follow(bl_grain_marks *marks, const bl_splice_past *past, double *ages,
                           uint32_t frames) BL_NONBLOCKING;
/* Plays the frames that were written last. `factor`: of the pitch; `formants`: of the formants; of
   the same power as the tone. [render] */
void bl_grains_process(bl_grains *voice, const bl_splice_past *past, double period,
                       const double *ages, double factor, double formants, float *output,
                       uint32_t frames) BL_NONBLOCKING;
