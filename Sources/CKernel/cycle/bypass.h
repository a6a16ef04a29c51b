/* Bypass: a unit's input plays in place of its output. */
#pragma once

#include "graph/lowered_graph.h"

/* Copies the dry sound for output bus `bus` to the worker's dry buffers, before the unit may
   overwrite it: the first input for the first output, silence for the others, delayed by the unit's
   latency. One channel feeds all; several are averaged into one; otherwise channels match. Once in
   each cycle for bus 0, after the input is mixed. [render] */
void bl_keep_dry(bl_worker *worker, bl_lowered_node *lowered, uint32_t bus,
                 uint32_t frames) BL_NONBLOCKING;

/* Crossfades the output to the dry sound, or back, by the node's bypass; of a unit that spills,
   adds the dry sound to the output. [render] */
void bl_mix_bypass(const bl_worker *worker, const bl_node *node, const bl_buffers *output,
                   uint32_t frames) BL_NONBLOCKING;

/* Fades an input bus of a unit that spills over, by its bypass: `buffers` then point to memory of
   the node. [render] */
void bl_mute_input(const bl_graph *graph, bl_node *node, uint32_t bus, bl_buffers *buffers,
                   uint32_t frames) BL_NONBLOCKING;

/* BL_RENDER_BYPASSED for a node whose output is not heard in this stretch, or 0. [render] */
uint32_t bl_bypass_flag(const bl_node *node) BL_NONBLOCKING;

/* Advances a node's bypass, after all its busses. [render] */
void bl_advance_bypass(bl_node *node, uint32_t frames) BL_NONBLOCKING;
