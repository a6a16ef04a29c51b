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
    float ceiling; /* a magnitude; INFINITY for none */
    int64_t loud_since,
        last_loud; /* the first and the last sample of the sound above the ceiling */
    bool is_closed;
    int64_t closed_at;
    uint32_t faded; /* frames of the fade: from 0, the sound, to silence */
    bool is_judged; /* since it closed last */
    /* To be reported. */
    uint32_t times;
    uint32_t cause; /* the unit's identifier, or BL_RACK: it came in loud */
    float peak;
} bl_fenced_output;

/* All outputs of a graph. */
typedef struct bl_fence {
    bl_fenced_output *outputs; /* one for each output */
    bool listens;
    int64_t listens_from, judges_at; /* while it listens */
    float *input_peaks;              /* that it has heard, one for each channel of the inputs */
} bl_fence;

/* Whether nothing of the fence is heard at an output, and no second passes. [render] */
bool bl_fence_is_open(const bl_fence *fence, uint32_t port) BL_NONBLOCKING;

/* Whether an output's meters have shown a sample over its ceiling of late. `channel`: its first.
   [render] */
bool bl_fence_is_reached(const struct bl_graph *graph, uint32_t port,
                         uint32_t channel) BL_NONBLOCKING;

/* Judges and fades an output's sound in this stretch. Needed only while the output is not open, or
   a sample is over its ceiling. [render] */
void bl_fence_follow(struct bl_kernel *kernel, uint32_t port, const bl_buffers *sound,
                     uint32_t frames) BL_NONBLOCKING;

/* Resets units if that is due now. Returns how long a stretch of `frames` may be. [render] */
uint32_t bl_fence_start_stretch(struct bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING;

/* Measures how loud a node is in this stretch. [render] */
void bl_fence_listen(const struct bl_graph *graph, struct bl_lowered_node *lowered) BL_NONBLOCKING;

/* The same for the rack's inputs. [render] */
void bl_fence_listen_to_inputs(const struct bl_graph *graph) BL_NONBLOCKING;

/* Takes over the fence of the graph before: outputs are the same by their places. [render] */
void bl_fence_continue(struct bl_graph *graph, const struct bl_graph *old) BL_NONBLOCKING;
