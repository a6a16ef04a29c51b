#include <sched.h>
#include <stdlib.h>

#include "graph/node_state.h"

/* The notifying thread first increments `calling` and then reads the places; the removing thread
   first clears the place and then reads `calling`: as in send.c, one always sees the other. */

static _Atomic uint32_t added; /* observers added to all units, ever */

uint32_t bl_render_observers_added(void) BL_NONBLOCKING {
    return atomic_load_explicit(&added, memory_order_acquire);
}

bl_render_observers *bl_render_observers_create(void) {
    return calloc(1, sizeof(bl_render_observers));
}

void bl_render_observers_destroy(bl_render_observers *observers) {
    for (uint32_t place = 0; observers != NULL && place < BL_MOST_RENDER_OBSERVERS; place += 1) {
        free(atomic_load(&observers->places[place]));
    }
    free(observers);
}

uint64_t bl_render_observers_add(bl_render_observers *observers, bl_render_observer function,
                                 void *context) {
    static _Atomic uint64_t last_token;
    for (uint32_t place = 0; place < BL_MOST_RENDER_OBSERVERS; place += 1) {
        if (atomic_load(&observers->places[place]) == NULL) {
            bl_observer *observer = malloc(sizeof *observer);
            if (observer == NULL) {
                return 0;
            }
            *observer = (bl_observer){function, context, atomic_fetch_add(&last_token, 1) + 1};
            atomic_store(&observers->places[place], observer);
            atomic_fetch_add(&observers->count, 1);
            atomic_fetch_add(&added, 1);
            return observer->token;
        }
    }
    return 0;
}

void bl_render_observers_remove(bl_render_observers *observers, uint64_t token) {
    for (uint32_t place = 0; place < BL_MOST_RENDER_OBSERVERS; place += 1) {
        bl_observer *observer = atomic_load(&observers->places[place]);
        if (observer == NULL || observer->token != token) {
            continue;
        }
        atomic_store(&observers->places[place], NULL);
        atomic_fetch_sub(&observers->count, 1);
        while (atomic_load(&observers->calling) > 0) {
            sched_yield();
        }
        free(observer);
        return;
    }
}

void bl_render_observers_notify(bl_render_observers *observers, uint32_t flags,
                                const bl_timestamp *timestamp, uint32_t frames,
                                uint32_t bus) BL_NONBLOCKING {
    atomic_fetch_add(&observers->calling, 1);
    for (uint32_t place = 0; place < BL_MOST_RENDER_OBSERVERS; place += 1) {
        const bl_observer *observer = atomic_load(&observers->places[place]);
        if (observer != NULL) {
            observer->function(observer->context, flags, timestamp, frames, bus);
        }
    }
    atomic_fetch_sub(&observers->calling, 1);
}

void bl_node_set_observers(bl_node *node, bl_render_observers *observers) {
    node->observers = observers;
}
