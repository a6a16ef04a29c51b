#include "kernel/midi_queue.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backline/memory.h"

/* Positions are counters that run on and are masked when used; a message becomes visible as a
   whole. */
struct bl_midi_queue {
    _Atomic uint32_t written, read;
    uint32_t mask;
    uint8_t storage[];
};

bl_midi_queue *bl_midi_queue_create(uint32_t capacity) {
    uint32_t size = 64;
    while (size < capacity && size < UINT32_C(1) << 31) {
        size *= 2;
    }
    bl_midi_queue *queue = bl_allocate_touched(1, sizeof *queue + size);
    if (queue != NULL) {
        queue->mask = size - 1;
    }
    return queue;
}

void bl_midi_queue_destroy(bl_midi_queue *queue) { free(queue); }

/* Bytes from `position` on before the storage's end. */
static uint32_t head(const bl_midi_queue *queue, uint32_t position,
                     uint32_t length) BL_NONBLOCKING {
    uint32_t left = queue->mask + 1 - (position & queue->mask);
    return length < left ? length : left;
}

static void copy_in(bl_midi_queue *queue, uint32_t position, const void *bytes,
                    uint32_t length) BL_NONBLOCKING {
    uint32_t first = head(queue, position, length);
    memcpy(queue->storage + (position & queue->mask), bytes, first);
    memcpy(queue->storage, (const uint8_t *)bytes + first, length - first);
}

static void copy_out(const bl_midi_queue *queue, uint32_t position, void *bytes,
                     uint32_t length) BL_NONBLOCKING {
    uint32_t first = head(queue, position, length);
    memcpy(bytes, queue->storage + (position & queue->mask), first);
    memcpy((uint8_t *)bytes + first, queue->storage, length - first);
}

bool bl_midi_queue_push(void *opaque, int64_t sample_time, uint8_t cable, uint32_t length,
                        const uint8_t *bytes) BL_NONBLOCKING {
    bl_midi_queue *queue = opaque;
    bl_midi_queue_header header = {sample_time, length, cable};
    uint32_t written = atomic_load_explicit(&queue->written, memory_order_relaxed);
    uint32_t used = written - atomic_load_explicit(&queue->read, memory_order_acquire);
    uint32_t room = queue->mask + 1 - used;
    if (room < sizeof header || room - sizeof header < length) {
        return false;
    }
    copy_in(queue, written, &header, sizeof header);
    copy_in(queue, written + (uint32_t)sizeof header, bytes, length);
    atomic_store_explicit(&queue->written, written + (uint32_t)sizeof header + length,
                          memory_order_release);
    return true;
}

bool bl_midi_queue_peek(const bl_midi_queue *queue, bl_midi_queue_header *header) BL_NONBLOCKING {
    uint32_t read = atomic_load_explicit(&queue->read, memory_order_relaxed);
    if (atomic_load_explicit(&queue->written, memory_order_acquire) == read) {
        return false;
    }
    copy_out(queue, read, header, sizeof *header);
    return true;
}

void bl_midi_queue_pop(bl_midi_queue *queue, uint8_t *bytes) BL_NONBLOCKING {
    bl_midi_queue_header header;
    uint32_t read = atomic_load_explicit(&queue->read, memory_order_relaxed);
    copy_out(queue, read, &header, sizeof header);
    copy_out(queue, read + (uint32_t)sizeof header, bytes, header.length);
    atomic_store_explicit(&queue->read, read + (uint32_t)sizeof header + header.length,
                          memory_order_release);
}
