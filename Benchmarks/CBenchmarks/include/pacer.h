/* A thread that renders at the pace of a sound card: a cycle each period. */
#ifndef BACKLINE_BENCHMARKS_PACER_H
#define BACKLINE_BENCHMARKS_PACER_H

#include "kernel/render_block.h"

typedef struct bl_pacer bl_pacer;

/* Renders output bus 0 of `block`, of two channels, in cycles of `frames` frames at `sample_rate`,
   with a constant input of 0.5; at most `cycles` cycles, then silence. At SCHED_FIFO
   where that is permitted. NULL where there is no memory or thread. */
bl_pacer *bl_pacer_start(bl_render_block *block, uint32_t frames, double sample_rate,
                         uint32_t cycles);
/* Ends the thread and frees it. */
void bl_pacer_stop(bl_pacer *pacer);

/* Starts to look for a change of the output. */
void bl_pacer_arm(bl_pacer *pacer);
/* Returns the first frame since bl_pacer_arm whose sample differs from the one before; -1 until
   there is one. Frames count from 0. */
int64_t bl_pacer_change(const bl_pacer *pacer);
/* Returns the start of a rendered cycle, seconds on CLOCK_MONOTONIC. */
double bl_pacer_time(const bl_pacer *pacer, uint32_t cycle);

#endif
