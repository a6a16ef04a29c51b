/* Watches a node: the sound at its input and output, and the arrays that its unit shows. A node
   that nobody watches costs a test in its slow turns, and nothing in its plain ones. */
#ifndef BACKLINE_KERNEL_WATCH_H
#define BACKLINE_KERNEL_WATCH_H

#include "node.h"
#include "recorder.h"

BL_BEGIN_DECLARATIONS

/* The places of a node that can be watched: entry n of the unit's telemetry is
   BL_WATCH_TELEMETRY + n. */
enum { BL_WATCH_INPUT, BL_WATCH_OUTPUT, BL_WATCH_TELEMETRY };

/* Frames of sound that wait for the reader; more are left out. */
#define BL_WATCH_FRAMES 16384

/* Watches these places, bit n for place n, from some cycle of the next 50 ms on; 0 watches nothing.
   The memory stays with the node. False, and nothing changes, when memory is short. [control] */
bool bl_node_watch(bl_node *node, uint32_t places);

/* The sound at a place that is or was watched: two channels of bus 0, of which a mono bus fills
   both; NULL for a place that never was. Read it as a disk thread does. [reader] */
bl_recorder *bl_node_watched_sound(const bl_node *node, uint32_t place);

/* Copies the latest values of a watched entry of the unit's telemetry (room for its capacity);
   false if it was not read since the last call. [reader] */
bool bl_node_watched_values(bl_node *node, uint32_t index, float *values, uint32_t *count);

BL_END_DECLARATIONS

#endif
