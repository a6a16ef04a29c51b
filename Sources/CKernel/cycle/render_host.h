/* What the kernel offers a unit while it renders. */
#ifndef BACKLINE_KERNEL_RENDER_HOST_H
#define BACKLINE_KERNEL_RENDER_HOST_H

#include "graph/lowered_graph.h"

/* A bus has a channel or two: to unroll the loop over them costs more than it saves. */
#define BL_FEW_CHANNELS _Pragma("clang loop unroll(disable) vectorize(disable)")

/* One call of a unit, for what it calls itself. */
typedef struct bl_render_call {
    bl_graph *graph;
    bl_lowered_node *node;
    bool sends_midi; /* may it, in this call? */
} bl_render_call;

/* A bl_render_host's pull_input and send_midi, with a bl_render_call as context. [render] */
bl_status bl_render_call_pull(void *context, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, uint32_t bus, bl_buffers *buffers) BL_NONBLOCKING;
bl_status bl_render_call_send_midi(void *context, int64_t sample_time, uint8_t cable,
                                   uint32_t length, const uint8_t *bytes) BL_NONBLOCKING;

/* [render] */
static inline bl_render_host bl_render_call_host(bl_render_call *call) BL_NONBLOCKING {
    return (bl_render_host){call, bl_render_call_pull, bl_render_call_send_midi,
                            call->graph->musical_context, call->graph->transport_state};
}

#endif
