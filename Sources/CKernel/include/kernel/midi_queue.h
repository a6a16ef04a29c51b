/* A queue of MIDI messages from the render thread to a thread that reads them later. */
#ifndef BACKLINE_KERNEL_MIDI_QUEUE_H
#define BACKLINE_KERNEL_MIDI_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/attributes.h"

BL_BEGIN_DECLARATIONS

/* A queue for one writer and one reader, neither of which waits. */
typedef struct bl_midi_queue bl_midi_queue;

typedef struct bl_midi_queue_header {
    int64_t sample_time;
    uint32_t length; /* bytes */
    uint8_t cable;
} bl_midi_queue_header;

/* Creates a queue of `capacity` bytes, rounded up to a power of two (2^31 at most); a message needs
   its length and 16 more. NULL when memory is short. [control] */
bl_midi_queue *bl_midi_queue_create(uint32_t capacity);
/* [control, once no thread uses it] */
void bl_midi_queue_destroy(bl_midi_queue *queue);

/* Copies a message in; false without room for all of it. `opaque` is the queue: this is a
   bl_midi_output_function. [the writer] */
bool bl_midi_queue_push(void *opaque, int64_t sample_time, uint8_t cable, uint32_t length,
                        const uint8_t *bytes) BL_NONBLOCKING;

/* Reads the header of the oldest message; false if there is none. [the reader] */
bool bl_midi_queue_peek(const bl_midi_queue *queue, bl_midi_queue_header *header) BL_NONBLOCKING;
/* Pops the oldest message, which must exist, and copies its bytes. [the reader] */
void bl_midi_queue_pop(bl_midi_queue *queue, uint8_t *bytes) BL_NONBLOCKING;

BL_END_DECLARATIONS

#endif
