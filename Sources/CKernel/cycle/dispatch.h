/* Hands remote units their cycles. */
#ifndef BACKLINE_KERNEL_BEGIN_H
#define BACKLINE_KERNEL_BEGIN_H

#include "graph/lowered_graph.h"

/* Hands over the cycles that are due before the turn at `due->place`: to each unit unless it has
   its cycle already, and right behind it to the one that takes its output from it directly. Answers
   what is due next. [render] */
const bl_dispatch *bl_graph_dispatch_nodes(bl_graph *graph, const bl_dispatch *due, uint32_t flags,
                                           const bl_timestamp *timestamp,
                                           uint32_t frames) BL_NONBLOCKING;

#endif
