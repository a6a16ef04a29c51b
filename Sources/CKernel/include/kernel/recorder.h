/* Records a graph: the render thread writes frames to a ring, a disk thread writes them to a file.
   When the ring is full, frames are counted and left out, and the disk thread receives their
   position and number, so that the file stays in time. */
#ifndef BACKLINE_KERNEL_RECORDER_H
#define BACKLINE_KERNEL_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/attributes.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_recorder bl_recorder;

/* A tap's node: silence. */
#define BL_NOWHERE (UINT32_MAX - 1)

/* The source of one channel of a recording. */
typedef struct bl_tap {
    uint32_t node; /* index in the description's nodes, BL_RACK or BL_NOWHERE */
    bool is_input; /* BL_RACK: an input port instead of an output port */
    uint32_t bus;  /* output bus of a node; a port of the rack */
    uint32_t channel;
} bl_tap;

/* A ring for at least `capacity` frames; NULL when memory is short. [control] */
bl_recorder *bl_recorder_create(uint32_t channel_count, uint32_t capacity);
/* [control, once no kernel has it and the disk thread has ended] */
void bl_recorder_destroy(bl_recorder *recorder);

/* Reports the last left-out frames to the disk thread. [control, once no kernel has it] */
void bl_recorder_finish(bl_recorder *recorder);

/* The next part of the file: either left-out or recorded frames. */
typedef struct bl_recorded {
    uint64_t lost_frames;
    uint32_t frames;
    const float *samples; /* frames × channels */
} bl_recorded;

/* Reads the next part; false if there is nothing to write. [disk] */
bool bl_recorder_peek(bl_recorder *recorder, bl_recorded *next);
/* Removes a part that was written. [disk] */
void bl_recorder_advance(bl_recorder *recorder, const bl_recorded *written);

/* Frames since the recording started, frames left out, and the number of drop-outs. [any thread] */
uint64_t bl_recorder_frames(const bl_recorder *recorder);
uint64_t bl_recorder_lost_frames(const bl_recorder *recorder);
uint64_t bl_recorder_drop_outs(const bl_recorder *recorder);

BL_END_DECLARATIONS

#endif
