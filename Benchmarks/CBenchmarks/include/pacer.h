/* A thread that renders as a sound card asks for it: a cycle each so many frames of time. */
#ifndef BACKLINE_BENCHMARKS_PACER_H
#define BACKLINE_BENCHMARKS_PACER_H

#include "kernel/render_block.h"

typedef struct bl_pacer bl_pacer;

/* Renders output bus 0 of `block`, of two channels, in cycles of `frames` frames at `sample_rate`,
   with an input that stands still at 0.5; at most `cycles` cycles, then silence. At SCHED_FIFO
   where that is permitted. NULL where there is no memory or thread. */
bl_pacer *bl_pacer_start(bl_render_block *block, uint32_t frames, double sample_rate,
                         uint32_t cycles);
/* Ends the thread and frees it. */
void bl_pacer_stop(bl_pacer *pacer);

/* Looks for a change from now on. */
void bl_pacer_arm(bl_pacer *pacer);
/* The first frame since then whose sample is another than the one before; -1 until there is one.
   Frames count from 0. */
int64_t bl_pacer_change(const bl_pacer *pacer);
/* When a cycle that has been rendered began, seconds on CLOCK_MONOTONIC. */
double bl_pacer_time(const bl_pacer *pacer, uint32_t cycle);

#endif
