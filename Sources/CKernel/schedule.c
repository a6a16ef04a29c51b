#include "schedule.h"

#include <stdlib.h>

#include "pages.h"

bool bl_schedule_allocate(bl_schedule *schedule, uint32_t capacity) {
    schedule->heap = calloc(capacity, sizeof(bl_scheduled_event));
    bl_touch_pages(schedule->heap, capacity * sizeof(bl_scheduled_event));
    schedule->count = 0;
    schedule->capacity = capacity;
    schedule->arrivals = 0;
    return schedule->heap != NULL;
}

void bl_schedule_free(bl_schedule *schedule) {
    free(schedule->heap);
    schedule->heap = NULL;
}

static bool is_before(const bl_scheduled_event *one,
                      const bl_scheduled_event *other) BL_NONBLOCKING {
    if (one->event.sample_time != other->event.sample_time) {
        return one->event.sample_time < other->event.sample_time;
    }
    return one->arrival < other->arrival;
}

/* Moves a hole down from `index` to where `event` belongs. */
static void sift_down(bl_schedule *schedule, uint32_t index,
                      bl_scheduled_event event) BL_NONBLOCKING {
    bl_scheduled_event *heap = schedule->heap;
    while (2 * index + 1 < schedule->count) {
        uint32_t child = 2 * index + 1;
        if (child + 1 < schedule->count && is_before(&heap[child + 1], &heap[child])) {
            child += 1;
        }
        if (!is_before(&heap[child], &event)) {
            break;
        }
        heap[index] = heap[child];
        index = child;
    }
    heap[index] = event;
}

bool bl_schedule_insert(bl_schedule *schedule, bl_node *node,
                        const bl_event *event) BL_NONBLOCKING {
    if (schedule->count == schedule->capacity) {
        return false;
    }
    bl_scheduled_event inserted = {node, schedule->arrivals++, *event};
    uint32_t index = schedule->count++;
    while (index > 0 && is_before(&inserted, &schedule->heap[(index - 1) / 2])) {
        schedule->heap[index] = schedule->heap[(index - 1) / 2];
        index = (index - 1) / 2;
    }
    schedule->heap[index] = inserted;
    return true;
}

const bl_scheduled_event *bl_schedule_first(const bl_schedule *schedule) BL_NONBLOCKING {
    return schedule->count > 0 ? &schedule->heap[0] : NULL;
}

void bl_schedule_remove_first(bl_schedule *schedule) BL_NONBLOCKING {
    schedule->count -= 1;
    if (schedule->count > 0) {
        sift_down(schedule, 0, schedule->heap[schedule->count]);
    }
}

void bl_schedule_filter(bl_schedule *schedule,
                        bool (*keep)(const bl_scheduled_event *scheduled, void *context)
                            BL_NONBLOCKING,
                        void *context) BL_NONBLOCKING {
    uint32_t kept = 0;
    for (uint32_t index = 0; index < schedule->count; index += 1) {
        if (keep(&schedule->heap[index], context)) {
            schedule->heap[kept++] = schedule->heap[index];
        }
    }
    bool changed = kept != schedule->count;
    schedule->count = kept;
    for (uint32_t index = kept / 2; changed && index > 0; index -= 1) {
        sift_down(schedule, index - 1, schedule->heap[index - 1]);
    }
}
