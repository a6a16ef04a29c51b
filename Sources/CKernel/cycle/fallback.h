/* What is heard of a unit that is rendered elsewhere and does not answer: its input. Its last
   sample goes out to that, and once that is over and it answers again, it comes back. */
#ifndef BACKLINE_KERNEL_ABSENCE_H
#define BACKLINE_KERNEL_ABSENCE_H

#include "graph/lowered_graph.h"

/* Turns output bus `bus` towards the kept dry sound (dry.h), or back. `has_answered`: the output
   holds what the unit gave for this cycle; otherwise nothing that it holds is heard. Moves the
   crossfade on. [render] */
void bl_mix_fallback(const bl_graph *graph, const bl_lowered_node *lowered, uint32_t bus,
                     const bl_buffers *output, bool has_answered, uint32_t frames) BL_NONBLOCKING;

/* Does what its unit gives leave the node as it stands, as far as is known before it renders?
   [render] */
bool bl_node_output_is_unchanged(const bl_node *node) BL_NONBLOCKING;

#endif
