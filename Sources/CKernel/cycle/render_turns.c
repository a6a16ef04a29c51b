/* Renders the turns of a cycle in their order: calls each unit, and checks and measures its output.
   A turn that needs more than that is rendered by render_slow.c. */

#include "cycle/render.h"

/* False if a sample is NaN or infinite. A bus has a channel or two: unrolling the loop over them
   costs more than it saves. */
static inline __attribute__((always_inline)) bool
measure(bl_meter *meters, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    bool is_finite = true;
    _Pragma("clang loop unroll(disable) vectorize(disable)") for (uint32_t channel = 0;
                                                                  channel < output->channel_count;
                                                                  channel += 1) {
        is_finite = bl_meter_add(&meters[channel], output->channels[channel], frames) && is_finite;
    }
    return is_finite;
}

BL_VECTOR_CLONES
bool bl_measure(bl_meter *meters, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    return measure(meters, output, frames);
}

BL_VECTOR_CLONES
void bl_worker_render(bl_worker *worker, uint32_t first, uint32_t end) BL_NONBLOCKING {
    bl_graph *graph = worker->graph;
    const bl_timestamp timestamp = graph->stretch.timestamp;
    uint32_t flags = graph->stretch.flags, frames = graph->stretch.frames;
    for (uint32_t place = first; place < end; place += 1) {
        bl_turn *turn = &graph->turns[place];
        if (!turn->is_plain) {
            bl_render_turn_slow(worker, turn);
            continue;
        }
        bl_status status = turn->render(turn->unit, flags | turn->flags, &timestamp, frames, 0,
                                        &turn->output, NULL, &turn->host);
        if (status != BL_OK || !measure(turn->meters, &turn->output, frames)) {
            bl_replace_output(worker, turn, status);
        }
    }
}
