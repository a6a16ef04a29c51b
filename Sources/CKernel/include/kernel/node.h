/* A node, a unit in the kernel: the instance, the channels of its busses, and its state from one
   graph to the next (meters, timing, bypass, recovery after NaN or infinity). */
#ifndef BACKLINE_KERNEL_NODE_H
#define BACKLINE_KERNEL_NODE_H

#include "backline/unit.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_node bl_node;

/* The length in frames, 20 ms, of the kernel's ramps and crossfades for sudden changes: a
   parameter, a bypass, a unit that is added or removed. After a jump of a gain by 20 dB, a sine of
   1 kHz has nothing above -80 dBc further than 1 kHz from it. [any] */
static inline uint32_t bl_ramp_frames(double sample_rate) BL_NONBLOCKING {
    return (uint32_t)(sample_rate * 0.02) + 1;
}

/* Wraps a unit that was allocated with `configuration`; reports name it by `identifier`. The caller
   keeps the unit. NULL when memory is short. [control] */
bl_node *bl_node_create(const bl_unit_descriptor *descriptor, bl_unit *unit,
                        const bl_render_configuration *configuration, uint32_t identifier);

/* [control, once the kernel has no graph with the node] */
void bl_node_destroy(bl_node *node);

/* Bypasses or activates the node, without a crossfade. [control, before the first graph with it] */
void bl_node_set_bypassed(bl_node *node, bool bypassed) BL_NONBLOCKING;

/* Sets the bypass mode, for the next bypass: with `spills` it mutes the unit's input, and the tail
   continues beside the dry sound; without, it crossfades from the output to the input. False, and
   the unit does not spill over, when memory is short. [control] */
bool bl_node_set_spills(bl_node *node, bool spills);

/* Sends a cycle to a unit in another process as soon as its inputs are ready; `render` then waits
 * for the response. Called once in each cycle, before render.
 *
 * `output_busses`: bit n for each output bus that is read, up to bus 63. `events`: the cycle's, as
 * in the first call of render. `host`: valid for the call; pull_input may be called, send_midi may
 * not. `preceding`: NULL, or the unit that was dispatched just before, whose output bus 0 is this
 * unit's input bus 0, so that the process can read it directly; pull_input must then not be called
 * for bus 0. [render & allocated]
 */
typedef void (*bl_dispatch_render)(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                                   uint32_t frames, uint64_t output_busses, const bl_event *events,
                                   const bl_render_host *host,
                                   const bl_unit *preceding) BL_NONBLOCKING;

/* Sets the function that dispatches the unit's cycles; its input plays while render returns
   BL_ERROR_UNAVAILABLE. NULL: the unit is rendered in this process. [control, before the first
   graph with it] */
void bl_node_set_dispatch_render(bl_node *node, bl_dispatch_render dispatch_render);

/* A parameter's value after the last cycle: the value set last (the target of a ramp), or the value
   that the unit writes (a meter). 0 for an address that does not exist. [any thread] */
float bl_node_value(const bl_node *node, bl_parameter_address address) BL_NONBLOCKING;
/* The unit's latency (frames, BL_MAXIMUM_LATENCY at most) and tail (seconds) after the last cycle.
   [any thread] */
uint32_t bl_node_latency(const bl_node *node) BL_NONBLOCKING;
/* Sets whether the latency stays at its present value, whatever the unit reports. [any thread] */
void bl_node_hold_latency(bl_node *node, bool is_held);
double bl_node_tail_time(const bl_node *node) BL_NONBLOCKING;
/* Whether the node's bypass has changed since the last call; if so, `bypassed` is its last state.
   [any thread] */
bool bl_node_pop_bypass_change(bl_node *node, bool *bypassed);
/* A counter that increases when one of these values may have changed, except meters. [any
   thread] */
uint32_t bl_node_change_count(const bl_node *node) BL_NONBLOCKING;

BL_END_DECLARATIONS

#endif
