/* The fallback of a remote unit that does not answer: its input. The output crossfades from its
   last sample to the input; once that is done and the unit answers again, it crossfades back. */
#ifndef BACKLINE_KERNEL_ABSENCE_H
#define BACKLINE_KERNEL_ABSENCE_H

#include "graph/lowered_graph.h"

/* Crossfades output bus `bus` to the kept dry sound (dry.h), or back. `has_answered`: the output
   holds the unit's answer for this cycle; otherwise its contents are ignored. Moves the
   crossfade on. [render] */
void bl_mix_fallback(const bl_graph *graph, const bl_lowered_node *lowered, uint32_t bus,
                     const bl_buffers *output, bool has_answered, uint32_t frames) BL_NONBLOCKING;

/* Whether the node will put out its unit's output unchanged: no bypass, no fallback, no recovery.
   Known before it renders. [render] */
bool bl_node_output_is_unchanged(const bl_node *node) BL_NONBLOCKING;

#endif
