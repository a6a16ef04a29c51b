#include "schedule.h"

/* Children of a key in the heap. */
#define BRANCHES 4

static void release_slot(bl_schedule *schedule, bl_scheduled_event *slot) BL_NONBLOCKING {
    slot->next = schedule->free_slots;
    schedule->free_slots = slot;
    schedule->free_count += 1;
}

void bl_schedule_allocate(bl_schedule *schedule, bl_arena *arena, uint32_t capacity,
                          uint32_t reserve) {
    uint32_t slots = capacity + reserve;
    *schedule = (bl_schedule){.reserve = reserve};
    schedule->heap = bl_arena_allocate(arena, slots, sizeof(bl_schedule_key));
    schedule->slots = bl_arena_allocate(arena, slots, sizeof(bl_scheduled_event));
    for (uint32_t index = slots; schedule->slots != NULL && index > 0; index -= 1) {
        release_slot(schedule, &schedule->slots[index - 1]);
    }
}

/* Compares arrivals across the wrap of their counter. */
static bool is_before(const bl_schedule_key *one, const bl_schedule_key *other) BL_NONBLOCKING {
    if (one->sample_time != other->sample_time) {
        return one->sample_time < other->sample_time;
    }
    return one->arrival - other->arrival > UINT32_MAX / 2;
}

/* Moves a hole down from `index` to where `key` belongs. */
static void sift_down(bl_schedule *schedule, uint32_t index, bl_schedule_key key) BL_NONBLOCKING {
    bl_schedule_key *heap = schedule->heap;
    uint32_t count = schedule->count;
    for (uint64_t first = (uint64_t)index * BRANCHES + 1; first < count;
         first = (uint64_t)index * BRANCHES + 1) {
        uint32_t least = (uint32_t)first;
        for (uint32_t child = least + 1; child < first + BRANCHES && child < count; child += 1) {
            least = is_before(&heap[child], &heap[least]) ? child : least;
        }
        if (!is_before(&heap[least], &key)) {
            break;
        }
        heap[index] = heap[least];
        index = least;
    }
    heap[index] = key;
}

bool bl_schedule_insert(bl_schedule *schedule, bl_receiver *receiver, const bl_event *event,
                        bool may_use_reserve, bool is_reported) BL_NONBLOCKING {
    if (schedule->free_count <= (may_use_reserve ? 0 : schedule->reserve)) {
        return false;
    }
    bl_scheduled_event *slot = schedule->free_slots;
    schedule->free_slots = slot->next;
    schedule->free_count -= 1;
    slot->event = *event;
    slot->receiver = receiver;
    slot->arrival = schedule->arrivals++;
    slot->is_reported = is_reported;
    bl_schedule_key key = {event->sample_time, slot->arrival, (uint32_t)(slot - schedule->slots)};
    uint32_t index = schedule->count++;
    while (index > 0 && is_before(&key, &schedule->heap[(index - 1) / BRANCHES])) {
        schedule->heap[index] = schedule->heap[(index - 1) / BRANCHES];
        index = (index - 1) / BRANCHES;
    }
    schedule->heap[index] = key;
    return true;
}

bl_scheduled_event *bl_schedule_first(const bl_schedule *schedule) BL_NONBLOCKING {
    return schedule->count > 0 ? &schedule->slots[schedule->heap[0].slot] : NULL;
}

void bl_schedule_pop(bl_schedule *schedule) BL_NONBLOCKING {
    bl_scheduled_event *popped = bl_schedule_first(schedule);
    popped->next = schedule->popped_slots;
    schedule->popped_slots = popped;
    schedule->count -= 1;
    if (schedule->count > 0) {
        sift_down(schedule, 0, schedule->heap[schedule->count]);
    }
}

void bl_schedule_recycle(bl_schedule *schedule) BL_NONBLOCKING {
    while (schedule->popped_slots != NULL) {
        bl_scheduled_event *slot = schedule->popped_slots;
        schedule->popped_slots = slot->next;
        release_slot(schedule, slot);
    }
}

void bl_schedule_advance_due(bl_schedule *schedule, int64_t now, int64_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < schedule->count; index += 1) {
        bl_schedule_key *key = &schedule->heap[index];
        if (key->sample_time <= now) {
            key->sample_time -= frames;
            schedule->slots[key->slot].event.sample_time = key->sample_time;
        }
    }
}

void bl_schedule_filter(bl_schedule *schedule,
                        bool (*keep)(const bl_scheduled_event *scheduled, void *context)
                            BL_NONBLOCKING,
                        void *context) BL_NONBLOCKING {
    uint32_t kept = 0;
    for (uint32_t index = 0; index < schedule->count; index += 1) {
        bl_scheduled_event *slot = &schedule->slots[schedule->heap[index].slot];
        if (keep(slot, context)) {
            schedule->heap[kept++] = schedule->heap[index];
        } else {
            release_slot(schedule, slot);
        }
    }
    bool changed = kept != schedule->count;
    schedule->count = kept;
    /* Restores the order of the heap, from the last key with children on. */
    uint32_t parents = changed ? (kept + BRANCHES - 2) / BRANCHES : 0;
    for (uint32_t index = parents; index > 0; index -= 1) {
        sift_down(schedule, index - 1, schedule->heap[index - 1]);
    }
}
