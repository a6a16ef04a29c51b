/* The parts of rendering: plain turns (render_turns.c), and all that a turn may need besides
   (render_slow.c). */
#ifndef BACKLINE_KERNEL_RENDER_H
#define BACKLINE_KERNEL_RENDER_H

#include "graph/lowered_graph.h"

/* Renders the turns from `first` up to, and without, `end`. [render] */
void bl_worker_render(bl_worker *worker, uint32_t first, uint32_t end) BL_NONBLOCKING;

/* Renders all turns of the present stretch, alone or with the helpers. [render] */
void bl_kernel_render_turns(struct bl_kernel *kernel) BL_NONBLOCKING;

/* Finds the order in which that many threads take the strands. Returns the ticks that they save, if
   to share the work costs nothing. [render] */
uint64_t bl_order_strands(bl_graph *graph, uint32_t threads) BL_NONBLOCKING;

/* Measures a bus; false if a sample is NaN or infinite. [render] */
bool bl_measure(bl_meter *meters, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING;

/* Writes silence to a bus. [render] */
void bl_silence(const bl_buffers *output, uint32_t frames) BL_NONBLOCKING;

/* Renders any turn, and decides whether the node's next turn is plain. [render] */
void bl_render_turn_slow(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING;

/* Mixes a node's inputs, from bus `first` on, and offers them to the unit. A unit that is bypassed
   and spills gets its inputs muted. [render] */
void bl_prepare_inputs(bl_worker *worker, bl_lowered_node *lowered, uint32_t first) BL_NONBLOCKING;

/* Renders a node's turn; the worst result of its busses. [render] */
bl_render_result bl_render_node(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING;

/* Renders an output bus. [render] */
bl_render_result bl_render_output(bl_worker *worker, bl_lowered_node *lowered, uint32_t bus,
                                  const bl_event *events,
                                  const bl_render_host *host) BL_NONBLOCKING;

/* Calls a unit's render, and its observers. [render] */
bl_status bl_call_unit(const bl_worker *worker, const bl_node *node, uint32_t bus,
                       bl_buffers *output, const bl_event *events,
                       const bl_render_host *host) BL_NONBLOCKING;

/* Replaces the output of a plain turn whose unit failed with `status`, or yielded NaN or infinity,
   and counts the fault. [render] */
void bl_replace_output(bl_worker *worker, bl_turn *turn, bl_status status) BL_NONBLOCKING;

/* What a unit's failure means for its node. [render] */
bl_render_result bl_render_failure(const bl_node *node, bl_status status) BL_NONBLOCKING;

/* Takes a node's result in this stretch, and counts its faults. [render] */
void bl_count_result(bl_worker *worker, bl_node *node, bl_render_result result) BL_NONBLOCKING;

/* Whether the unit's sound is not heard in this stretch, and the input replaces it as it is. The
   unit renders all the same, so that its state and its load stay. [render] */
bool bl_node_is_unheard(const bl_lowered_node *lowered) BL_NONBLOCKING;

/* The host of a node's turn. [control] */
bl_render_host bl_unit_host(bl_lowered_node *lowered);

/* A send_midi that refuses all messages. [render] */
bl_status bl_refuse_midi(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                         const uint8_t *bytes) BL_NONBLOCKING;

/* Offers every unit musical time and transport, or NULL, until the next call. [render] */
void bl_offer_music(bl_graph *graph, const bl_musical_context *context,
                    const bl_transport_state *transport) BL_NONBLOCKING;

#endif
