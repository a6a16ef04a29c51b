/* The parts of rendering: plain turns (render_turns.c), other turns (render_slow.c), faults
   (faults.c) and units in other processes (remote.c). */
#pragma once

#include "graph/lowered_graph.h"

/* Renders all turns of the present stretch, alone or with the helpers. [render] */
void bl_kernel_render_turns(struct bl_kernel *kernel) BL_NONBLOCKING;

/* Finds the order in which so many threads take the strands. Returns the ticks that this saves,
   apart from the cost of sharing the work. [render] */
uint64_t bl_order_strands(bl_graph *graph, uint32_t threads) BL_NONBLOCKING;

/* Measures a bus; false if a sample is NaN or infinite. [render] */
bool bl_measure(bl_meter *meters, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING;

/* Writes silence to a bus. [render] */
void bl_silence(const bl_buffers *output, uint32_t frames) BL_NONBLOCKING;

/* Renders any turn, and decides whether the node's next turn is plain. [render] */
void bl_render_turn_slow(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING;

/* Mixes a node's inputs, from bus `first` on, and offers them to the unit; muted, if the unit is
   bypassed and spills over. [render] */
void bl_prepare_inputs(bl_worker *worker, bl_lowered_node *lowered, uint32_t first) BL_NONBLOCKING;

/* Renders each output bus that is read; once for a unit without outputs. Only the first call has
   the events and may send MIDI. Returns the worst result. [render] */
bl_render_result bl_render_busses(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING;

/* Whether the unit's output is inaudible in this stretch, with its input unchanged in its place.
   The unit still renders, so that its state and its load stay. [render] */
bool bl_node_is_unheard(const bl_lowered_node *lowered) BL_NONBLOCKING;

/* Silences the output of a unit whose render failed with `status` or, with BL_OK, produced NaN or
   infinity, and resets the latter. Both fade in when they recover; a remote unit that has not
   responded is replaced by its input. [render] */
bl_render_result bl_mute_output(bl_node *node, const bl_buffers *output, uint32_t frames,
                                bl_status status) BL_NONBLOCKING;

/* Fades a unit in after it was muted. [render] */
void bl_recover(const bl_node *node, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING;

/* Stores a node's result in this stretch, and counts its faults. [render] */
void bl_count_result(bl_worker *worker, bl_node *node, bl_render_result result) BL_NONBLOCKING;

/* Mutes the output of a plain turn whose unit failed with `status`, or produced NaN or infinity,
   and counts the fault. [render] */
void bl_replace_output(bl_worker *worker, bl_turn *turn, bl_status status) BL_NONBLOCKING;

/* Sends the cycle to the process of a remote unit, unless it was sent already, then to the units
   that read its output directly, as long as they read it unchanged. [render] */
void bl_hand_over(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING;

/* Crossfades output bus `bus` of a remote unit to the dry sound, or back, and advances the
   crossfade. If not `has_answered`, the unit's last sample replaces its output. [render] */
void bl_mix_fallback(const bl_worker *worker, const bl_lowered_node *lowered, uint32_t bus,
                     const bl_buffers *output, bool has_answered, uint32_t frames) BL_NONBLOCKING;

/* The host of a node's turn. [control] */
bl_render_host bl_unit_host(bl_lowered_node *lowered);

/* A send_midi that refuses all messages. [render] */
bl_status bl_refuse_midi(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                         const uint8_t *bytes) BL_NONBLOCKING;

/* Sets the musical time and transport, or NULL, that every unit sees until the next call.
   [render] */
void bl_offer_music(bl_graph *graph, const bl_musical_context *context,
                    const bl_transport_state *transport) BL_NONBLOCKING;
