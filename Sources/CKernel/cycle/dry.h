/* The dry sound: a unit's input, which plays in its place while it is bypassed, with a crossfade.
 */
#ifndef BACKLINE_KERNEL_DRY_H
#define BACKLINE_KERNEL_DRY_H

#include "graph/lowered_graph.h"

/* Keeps the dry sound for output bus `bus`, which is the first input at the first output and
   silence at the others, in the graph's dry buffers: the unit may be about to write over it.
   As late as the unit's output. One channel goes to all, and all go into one as their mean;
   otherwise channel goes to channel. Once in each cycle for bus 0. [render] */
void bl_keep_dry(bl_graph *graph, bl_lowered_node *lowered, uint32_t bus,
                 uint32_t frames) BL_NONBLOCKING;

/* Turns the output towards what was kept, or back, frame by frame, as far as the node's bypass
   goes. What was kept comes to the output of a unit that spills. [render] */
void bl_mix_bypass(const bl_graph *graph, const bl_node *node, const bl_buffers *output,
                   uint32_t frames) BL_NONBLOCKING;

/* Fades what comes into a unit at a bus as far as it is bypassed: `buffers` point to it, and to
   memory of the node's afterwards. Only of one that spills. [render] */
void bl_mute_input(const bl_graph *graph, bl_node *node, uint32_t bus, bl_buffers *buffers,
                   uint32_t frames) BL_NONBLOCKING;

/* Bypasses a node or not from a frame of this stretch on, until its next switch, in whatever
   order the switches are set. [render] */
void bl_switch_bypass(bl_node *node, bool bypassed, uint32_t frame) BL_NONBLOCKING;

/* Whether the node is bypassed at a frame of this stretch, by the switches set so far. [render] */
bool bl_is_bypassed_at(const bl_node *node, uint32_t frame) BL_NONBLOCKING;

/* Moves a node's bypass on, once all its busses have been through it. [render] */
void bl_advance_bypass(bl_node *node, uint32_t frames) BL_NONBLOCKING;

#endif
