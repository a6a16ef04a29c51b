/* The fence at the rack's outputs: an output that stays above its ceiling is faded out, the unit
   that made it loud is reset, and a second after it closed the output fades in again.

   Sound stays above the ceiling from a sample over it, in any channel, until 10 ms without one. The
   output closes at the first sample over the ceiling that comes 10 ms or more after the sound rose
   above it; the fade takes 4 ms. All units are then listened to for 50 ms, from the end of the
   longest stretch in which it can have closed; what their meters have kept of the time before
   counts, too. Then the unit is found: from the output back, cable by cable to the loudest source,
   until no source is louder than the ceiling. Of a loop all loud units are reset, and its feedback
   cables. An output whose sound is still too loud after the second stays closed for another one.

   Everything happens at its frame, whatever the lengths of cycles; a reset begins a stretch. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backline/attributes.h"
#include "backline/buffer.h"

struct bl_graph;
struct bl_kernel;
struct bl_lowered_node;

/* The fence of one output. Times are sample times. */
typedef struct bl_fenced_output {
    float ceiling;                 /* a magnitude; INFINITY for no limit */
    int64_t loud_since, last_loud; /* the first and the last sample of a sound above the ceiling */
    bool is_closed;
    int64_t closed_at;
    uint32_t faded; /* position of the fade: 0 is the sound, the fade's length is silence */
    bool is_judged; /* whether it has been judged since it last closed */
    /* The values to report. */
    uint32_t times;
    uint32_t cause; /* the unit's identifier, or BL_RACK: the input was loud */
    float peak;
} bl_fenced_output;

/* The fences of all outputs of a graph. */
typedef struct bl_fence {
    bl_fenced_output *outputs;
    bool listens;
    int64_t listens_from, judges_at; /* valid while it listens */
    float *input_peaks; /* peaks heard while it listens, one per channel of the inputs */
} bl_fence;

/* Whether the fence of an output is fully open and counts no time. [render] */
bool bl_fence_is_open(const bl_fence *fence, uint32_t port) BL_NONBLOCKING;

/* Whether an output's meters have shown a sample over its ceiling recently. `channel`: its first.
   [render] */
bool bl_fence_is_reached(const struct bl_graph *graph, uint32_t port,
                         uint32_t channel) BL_NONBLOCKING;

/* Judges and fades an output's sound in this stretch. Needed only while the output is not open, or
   a sample is over its ceiling. [render] */
void bl_fence_follow(struct bl_kernel *kernel, uint32_t port, const bl_buffers *sound,
                     uint32_t frames) BL_NONBLOCKING;

/* Resets units if a reset is due now. Returns the allowed length of a stretch of up to `frames`.
   [render] */
uint32_t bl_fence_start_stretch(struct bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING;

/* Measures a node's peaks in this stretch. [render] */
void bl_fence_listen(const struct bl_graph *graph, struct bl_lowered_node *lowered) BL_NONBLOCKING;

/* Measures the rack's inputs in this stretch. [render] */
void bl_fence_listen_to_inputs(const struct bl_graph *graph) BL_NONBLOCKING;

/* Copies the fence of the previous graph; outputs match by index. [render] */
void bl_fence_continue(struct bl_graph *graph, const struct bl_graph *old) BL_NONBLOCKING;
