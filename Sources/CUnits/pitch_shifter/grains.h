/* Moves a tone by a factor and keeps its formants: grains of two periods, each around a crest of
   the tone, follow each other at the new period: pitch-synchronous overlap-add, Moulines and
   Charpentier, "Pitch-synchronous waveform processing techniques for text-to-speech synthesis using
   diphones", Speech Communication 9(5), 1990; live after Lent 1989 (splicer.h). Grains that are
   read faster or slower move the formants. */
#pragma once

#include "pitch_shifter/splicer.h"

/* The most grains of a voice at once; with more, they are shortened. */
enum { BL_MOST_GRAINS = 16 };

/* The positions of the tone's crests, one in each period. */
typedef struct bl_grain_marks {
    double period;         /* period of the last tone, frames; 0: none so far */
    double age;            /* age of the last mark, frames */
    double highest_age;    /* age of the loudest frame */
    float energy, highest; /* energy of the sound; its maximum */
} bl_grain_marks;

typedef struct bl_grain {
    double delay;       /* read position, frames back */
    double place, step; /* position in the window, 0 to 1; its step per frame */
    float gain;
} bl_grain;

/* A voice of grains. */
typedef struct bl_grains {
    bl_grain playing[BL_MOST_GRAINS];
    uint32_t count;
    double wait; /* frames until the next grain starts */
} bl_grains;

/* Follows the crests through the last written frames; `ages`: age of the last mark at each of them.
   [render] */
void bl_grain_marks_follow(bl_grain_marks *marks, const bl_splice_past *past, double *ages,
                           uint32_t frames) BL_NONBLOCKING;
/* Plays the last written frames. `factor`: of the pitch; `formants`: of the formants; the tone's
   power is kept. [render] */
void bl_grains_process(bl_grains *voice, const bl_splice_past *past, double period,
                       const double *ages, double factor, double formants, float *output,
                       uint32_t frames) BL_NONBLOCKING;
