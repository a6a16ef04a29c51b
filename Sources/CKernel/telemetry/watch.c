/* Watches a node: copies on the render thread, allocates and reads on the control side. */

#include "telemetry/watch.h"

#include "backline/memory.h"
#include "cycle/kernel_state.h"

static void free_shown(bl_shown *shown) {
    if (shown != NULL) {
        for (int buffer = 0; buffer < 3; buffer += 1) {
            free(shown->values[buffer]);
        }
        free(shown);
    }
}

static bl_shown *make_shown(uint32_t capacity) {
    bl_shown *shown = bl_allocate_touched(1, sizeof *shown);
    bool is_whole = shown != NULL;
    for (int buffer = 0; is_whole && buffer < 3; buffer += 1) {
        shown->values[buffer] = bl_allocate_touched(capacity, sizeof(float));
        is_whole = shown->values[buffer] != NULL;
    }
    if (!is_whole) {
        free_shown(shown);
        return NULL;
    }
    shown->front = 1;
    atomic_init(&shown->between, 2);
    return shown;
}

/* Allocates memory for the place if it has none; what the render thread reads is not written again.
 */
static bool prepare(bl_watch *watch, const bl_unit_descriptor *descriptor, uint32_t place) {
    if (place < BL_WATCH_TELEMETRY) {
        bl_recorder **sound = &watch->sounds[place];
        if (*sound == NULL) {
            *sound = bl_recorder_create(2, BL_WATCH_FRAMES);
        }
        return *sound != NULL;
    }
    uint32_t index = place - BL_WATCH_TELEMETRY;
    if (index >= descriptor->telemetry_count || index >= BL_MOST_TELEMETRY) {
        return false;
    }
    bl_shown **shown = &watch->shown[index];
    if (*shown == NULL) {
        *shown = make_shown(descriptor->telemetry[index].capacity);
    }
    return *shown != NULL;
}

bool bl_node_watch(bl_node *node, uint32_t places) {
    for (uint32_t place = 0; place < 32; place += 1) {
        if ((places >> place & 1) != 0 &&
            !prepare(&node->watch, node->receiver.descriptor, place)) {
            return false;
        }
    }
    atomic_store_explicit(&node->watch.watched, places, memory_order_release);
    return true;
}

void bl_watch_free(bl_watch *watch, const bl_unit_descriptor *descriptor) {
    for (uint32_t place = 0; place < BL_WATCH_TELEMETRY; place += 1) {
        if (watch->sounds[place] != NULL) {
            bl_recorder_destroy(watch->sounds[place]);
        }
    }
    for (uint32_t index = 0; index < BL_MOST_TELEMETRY && index < descriptor->telemetry_count;
         index += 1) {
        free_shown(watch->shown[index]);
    }
}

bl_recorder *bl_node_watched_sound(const bl_node *node, uint32_t place) {
    return place < BL_WATCH_TELEMETRY ? node->watch.sounds[place] : NULL;
}

bool bl_node_watched_values(bl_node *node, uint32_t index, float *values, uint32_t *count) {
    bl_shown *shown = index < BL_MOST_TELEMETRY ? node->watch.shown[index] : NULL;
    if (shown == NULL ||
        (atomic_load_explicit(&shown->between, memory_order_relaxed) & BL_SHOWN_IS_NEW) == 0) {
        return false;
    }
    uint32_t new = atomic_exchange_explicit(&shown->between, shown->front, memory_order_acq_rel);
    shown->front = new & ~BL_SHOWN_IS_NEW;
    *count = shown->counts[shown->front];
    memcpy(values, shown->values[shown->front], *count * sizeof *values);
    return true;
}

static void copy(bl_recorder *sound, float *const *channels, uint32_t channel_count,
                 uint32_t frames) BL_NONBLOCKING {
    bl_recorder_start_stretch(sound, frames);
    for (uint32_t channel = 0; channel < 2; channel += 1) {
        const float *samples = channels[channel < channel_count ? channel : channel_count - 1];
        bl_recorder_write(sound, channel, samples, frames);
    }
    bl_recorder_end_stretch(sound, frames);
}

void bl_watch_input(const bl_graph *graph, const bl_lowered_node *lowered,
                    uint32_t watched) BL_NONBLOCKING {
    if ((watched >> BL_WATCH_INPUT & 1) == 0 || lowered->node->receiver.input_count == 0) {
        return;
    }
    const bl_buffers *offered = &lowered->offered[0];
    bool is_fed = offered->channels != NULL;
    float *const silence[1] = {graph->silence};
    copy(lowered->node->watch.sounds[BL_WATCH_INPUT], is_fed ? offered->channels : silence,
         is_fed ? offered->channel_count : 1, graph->stretch.frames);
}

/* Reads one of the unit's watched arrays, each of them up to 25 times a second. */
static void read_telemetry(const bl_node *node, bl_watch *watch, uint32_t watched,
                           uint32_t frames) BL_NONBLOCKING {
    uint32_t wanted = watched >> BL_WATCH_TELEMETRY;
    if (wanted == 0) {
        return;
    }
    uint32_t interval = 2 * node->fade_frames / (uint32_t)__builtin_popcount(wanted);
    watch->credit += frames;
    if (watch->credit < interval) {
        return;
    }
    watch->credit = 0;
    while ((wanted >> watch->next & 1) == 0) {
        watch->next = (watch->next + 1) % BL_MOST_TELEMETRY;
    }
    uint32_t index = watch->next;
    bl_shown *shown = watch->shown[index];
    uint32_t capacity = node->receiver.descriptor->telemetry[index].capacity;
    uint32_t count =
        node->receiver.descriptor->read_telemetry(node->unit, index, shown->values[shown->back]);
    watch->next = (watch->next + 1) % BL_MOST_TELEMETRY;
    shown->counts[shown->back] = count < capacity ? count : capacity;
    uint32_t former = atomic_exchange_explicit(&shown->between, shown->back | BL_SHOWN_IS_NEW,
                                               memory_order_acq_rel);
    shown->back = former & ~BL_SHOWN_IS_NEW;
}

void bl_watch_output(const bl_graph *graph, bl_lowered_node *lowered,
                     uint32_t watched) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    uint32_t frames = graph->stretch.frames;
    if ((watched >> BL_WATCH_OUTPUT & 1) != 0 && node->output_count > 0) {
        bool is_read = lowered->outputs[0].is_read;
        float *const silence[1] = {graph->silence};
        copy(node->watch.sounds[BL_WATCH_OUTPUT],
             is_read ? &graph->slots[lowered->outputs[0].slot] : silence,
             is_read ? lowered->outputs[0].channel_count : 1, frames);
    }
    read_telemetry(node, &node->watch, watched, frames);
}
