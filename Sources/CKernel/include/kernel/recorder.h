/* What a graph plays on its way to a sound file: the render thread puts frames into a ring, a disk
 * thread takes them out. Where the ring is full, the frames are counted and left out, and the disk
 * thread is told where and how many, so that what it writes stays in time.
 */
#ifndef BACKLINE_KERNEL_RECORDER_H
#define BACKLINE_KERNEL_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/attributes.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_recorder bl_recorder;

/* As a tap's node: no place at all; what is recorded is silence. */
#define BL_NOWHERE (UINT32_MAX - 1)

/* Where one channel of a recording comes from. */
typedef struct bl_tap {
    uint32_t node; /* place in the description's nodes, BL_RACK or BL_NOWHERE */
    bool is_input; /* of the rack: an input port, not an output port */
    uint32_t bus;  /* output bus of a node; a port of the rack */
    uint32_t channel;
} bl_tap;

/* A ring for `capacity` frames or more of so many channels; NULL when memory is short. [control] */
bl_recorder *bl_recorder_create(uint32_t channel_count, uint32_t capacity);
/* [control, once no kernel has it any more, and the disk thread has ended] */
void bl_recorder_destroy(bl_recorder *recorder);

/* Tells the disk thread of what was left out last. [control, once no kernel has it any more] */
void bl_recorder_finish(bl_recorder *recorder);

/* The next that is to be written: frames that were left out, or else frames that are there. */
typedef struct bl_recorded {
    uint64_t lost_frames;
    uint32_t frames;
    const float *samples; /* frames × channels */
} bl_recorded;

/* False where there is nothing for now. [disk] */
bool bl_recorder_peek(bl_recorder *recorder, bl_recorded *next);
/* It is written. [disk] */
void bl_recorder_advance(bl_recorder *recorder, const bl_recorded *written);

/* Frames that came by since the recording began, and of these those left out; and how often any
   were. [any thread] */
uint64_t bl_recorder_frames(const bl_recorder *recorder);
uint64_t bl_recorder_lost_frames(const bl_recorder *recorder);
uint64_t bl_recorder_drop_outs(const bl_recorder *recorder);

BL_END_DECLARATIONS

#endif
