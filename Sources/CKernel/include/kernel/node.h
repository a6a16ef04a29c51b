/* A unit's place in the kernel: the instance, its busses' widths, and what the render thread keeps
   for it from one graph to the next (meters, timing, bypass, the guard against non-finite sound).
 */
#ifndef BACKLINE_KERNEL_NODE_H
#define BACKLINE_KERNEL_NODE_H

#include "backline/unit.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_node bl_node;

/* Wraps an allocated unit; `configuration` is the one that it was allocated with, and `identifier`
   is what reports call it. The unit stays the caller's. NULL when memory is short. [control] */
bl_node *bl_node_create(const bl_unit_descriptor *descriptor, bl_unit *unit,
                        const bl_render_configuration *configuration, uint32_t identifier);

/* No graph that holds the node may be with the kernel any more. [control] */
void bl_node_destroy(bl_node *node);

/* Bypasses the node or not, without a crossfade. [control, before the first graph with it] */
void bl_node_set_bypassed(bl_node *node, bool bypassed) BL_NONBLOCKING;

/* Says what becomes of the unit's own sound when it is bypassed: with `spills` what comes in goes
   past it and no longer into it, and its tail is heard to the end; without, there is a crossfade
   from its output to its input. Holds from the next time that it is bypassed. False, and it does
   not spill, when memory is short. [control] */
bool bl_node_set_spills(bl_node *node, bool spills);

/* For a remote unit, in another process: hands it the cycle as soon as its
   inputs are ready; `render`, at the node's turn, then waits for the answer. Called once in each
   cycle, before render.

   `output_busses`: bit n for each output bus that is read; busses from 64 on have none. `events`:
   the cycle's, which the first call of render brings again. `host`: for the length of the call;
   pull_input may be called, and send_midi may not. `preceding`: NULL, or the unit of the node that
   has begun just now in this cycle, and whose output bus 0 is this one's input bus 0 as it stands,
   so that its sound need not come back to the host first; pull_input must then not be asked for bus
   0. [render & allocated] */
typedef void (*bl_dispatch_render)(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                                   uint32_t frames, uint64_t output_busses, const bl_event *events,
                                   const bl_render_host *host,
                                   const bl_unit *preceding) BL_NONBLOCKING;

/* Hands the unit its cycles this way, and plays its input while render answers
   BL_ERROR_UNAVAILABLE. NULL: the node is rendered at its turn, all at once. [control, before the
   first graph with it] */
void bl_node_set_dispatch_render(bl_node *node, bl_dispatch_render dispatch_render);

uint32_t bl_node_identifier(const bl_node *node);

/* A parameter's value as of the cycle before: what was set last (of a ramp, its goal), or what
   the unit itself writes (a meter). 0 for no such address. [any
   thread] */
float bl_node_value(const bl_node *node, bl_parameter_address address) BL_NONBLOCKING;
/* The unit's latency (frames, BL_MAXIMUM_LATENCY at most) and its tail (seconds), as of the cycle
 * before. [any thread] */
uint32_t bl_node_latency(const bl_node *node) BL_NONBLOCKING;
double bl_node_tail_time(const bl_node *node) BL_NONBLOCKING;
/* Whether a control has changed the node's bypass since the last call; `bypassed` is then its last
 * state. [any thread] */
bool bl_node_pop_bypass_change(bl_node *node, bool *bypassed);
/* A count that rises whenever one of these may have changed, meters left out. [any thread] */
uint32_t bl_node_change_count(const bl_node *node) BL_NONBLOCKING;

BL_END_DECLARATIONS

#endif
