/* The parts of rendering: plain turns (render.c), and all that a turn may need besides (care.c). */
#ifndef BACKLINE_KERNEL_CARE_H
#define BACKLINE_KERNEL_CARE_H

#include "graph/lowered_graph.h"

/* Renders the turns from `first` up to, and without, `end`. [render] */
void bl_worker_render(bl_worker *worker, uint32_t first, uint32_t end) BL_NONBLOCKING;

/* The ticks since the last call. [render] */
uint64_t bl_worker_lap(bl_worker *worker) BL_NONBLOCKING;
/* Notes them for the turns since then, up to, and without, `end`. [render] */
void bl_worker_note_lap(bl_worker *worker, uint32_t end) BL_NONBLOCKING;

/* Measures a bus; false if a sample is NaN or infinite. [render] */
bool bl_measure(bl_meter *meters, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING;

/* Writes silence to a bus. [render] */
void bl_silence(const bl_buffers *output, uint32_t frames) BL_NONBLOCKING;

/* Takes any turn, and decides whether the node's next one is plain. [render] */
void bl_take_turn_with_care(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING;

/* After a plain turn whose unit failed with `status`, or yielded NaN or infinity: mutes the output
   and reports the fault. [render] */
void bl_mend_turn(bl_worker *worker, bl_turn *turn, bl_status status) BL_NONBLOCKING;

/* Has each turn timed about once in BL_TIMING_INTERVAL frames, a few in each stretch. [render] */
void bl_sample_turns(bl_graph *graph, uint32_t frames) BL_NONBLOCKING;

#endif
