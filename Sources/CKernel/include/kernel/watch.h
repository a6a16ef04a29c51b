/* Watches a node: the sound at its input and output, and its unit's telemetry arrays. A node that
   nobody watches costs a test in its slow turns, and nothing in its plain ones. */
#ifndef BACKLINE_KERNEL_WATCH_H
#define BACKLINE_KERNEL_WATCH_H

#include "node.h"
#include "recorder.h"

BL_BEGIN_DECLARATIONS

/* The places in a node that can be watched: entry n of the unit's telemetry is BL_WATCH_TELEMETRY +
   n. */
enum { BL_WATCH_INPUT, BL_WATCH_OUTPUT, BL_WATCH_TELEMETRY };

/* Frames of sound that can wait for the reader; further ones are left out. */
#define BL_WATCH_FRAMES 16384

/* Watches these places, bit n for place n, starting within 50 ms; 0 watches nothing. The memory
   stays with the node. False, and nothing changes, when memory is short. [control] */
bool bl_node_watch(bl_node *node, uint32_t places);

/* The sound at a place that is or was watched: two channels of bus 0, both the same for a mono bus;
   NULL for a place that never was. Read it as a disk thread does. [reader] */
bl_recorder *bl_node_watched_sound(const bl_node *node, uint32_t place);

/* Copies the latest values of a watched entry of the unit's telemetry (`values` has room for its
   capacity); false if there are none since the last call. [reader] */
bool bl_node_watched_values(bl_node *node, uint32_t index, float *values, uint32_t *count);

BL_END_DECLARATIONS

#endif
