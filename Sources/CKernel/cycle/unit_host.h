/* What the kernel offers units while they render; see bl_render_host. */
#ifndef BACKLINE_KERNEL_UNIT_HOST_H
#define BACKLINE_KERNEL_UNIT_HOST_H

#include "graph/lowered_graph.h"

/* The host of a node's turn. [control] */
bl_render_host bl_unit_host(bl_lowered_node *lowered);

/* A send_midi that refuses all messages. [render] */
bl_status bl_refuse_midi(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                         const uint8_t *bytes) BL_NONBLOCKING;

/* Offers every unit musical time and transport, or NULL, until the next call. [render] */
void bl_offer_music(bl_graph *graph, const bl_musical_context *context,
                    const bl_transport_state *transport) BL_NONBLOCKING;

#endif
