/* A recording: the ring between the render thread and the disk thread, and the slots that a graph
   records. */

#include <stdlib.h>
#include <string.h>

#include "cycle/kernel_state.h"

/* The most drop-outs that can wait for the disk thread. */
#define GAP_CAPACITY 256

/* A drop-out: frames left out before the frame `position` of the ring. */
typedef struct gap {
    uint64_t position;
    uint64_t frames;
} gap;

/* A recorder. Positions are counters that run on and are masked when used. */
struct bl_recorder {
    bl_arena arena;
    _Alignas(64) _Atomic uint64_t written;
    _Atomic uint64_t frames, lost_frames, drop_outs;
    uint64_t pending; /* frames left out, not yet reported to the disk thread */
    bool has_room;    /* the ring has room for this stretch */
    _Alignas(64) _Atomic uint64_t read;
    gap next_gap; /* used by the disk thread */
    bool has_gap;
    _Alignas(64) bl_ring gaps;
    uint32_t channel_count;
    uint64_t mask; /* ring size in frames - 1 */
    float *samples;
};

bl_recorder *bl_recorder_create(uint32_t channel_count, uint32_t capacity) {
    bl_recorder *recorder = aligned_alloc(64, (sizeof *recorder + 63) / 64 * 64);
    if (recorder == NULL) {
        return NULL;
    }
    memset(recorder, 0, sizeof *recorder);
    uint64_t size = 1;
    while (size < capacity) {
        size *= 2;
    }
    recorder->channel_count = channel_count;
    recorder->mask = size - 1;
    recorder->samples = bl_arena_allocate(&recorder->arena, size * channel_count, sizeof(float));
    bl_ring_allocate(&recorder->gaps, &recorder->arena, GAP_CAPACITY, sizeof(gap));
    if (recorder->arena.failed) {
        bl_recorder_destroy(recorder);
        return NULL;
    }
    return recorder;
}

void bl_recorder_destroy(bl_recorder *recorder) {
    bl_arena_free(&recorder->arena);
    free(recorder);
}

static bool write_gap(bl_recorder *recorder) BL_NONBLOCKING {
    gap gap = {atomic_load_explicit(&recorder->written, memory_order_relaxed), recorder->pending};
    if (recorder->pending > 0 && !bl_ring_push(&recorder->gaps, &gap)) {
        return false;
    }
    recorder->pending = 0;
    return true;
}

void bl_recorder_start_stretch(bl_recorder *recorder, uint32_t frames) BL_NONBLOCKING {
    uint64_t written = atomic_load_explicit(&recorder->written, memory_order_relaxed);
    uint64_t read = atomic_load_explicit(&recorder->read, memory_order_acquire);
    uint64_t room = recorder->mask + 1 - (written - read);
    /* One long drop-out is better than many short ones: after a full ring, recording resumes once
       it is half empty. */
    uint64_t least = recorder->pending > 0 ? (recorder->mask + 1) / 2 : 0;
    recorder->has_room = room >= frames && room >= least && write_gap(recorder);
}

void bl_recorder_write(bl_recorder *recorder, uint32_t channel, const float *samples,
                       uint32_t frames) BL_NONBLOCKING {
    if (!recorder->has_room) {
        return;
    }
    uint64_t start = atomic_load_explicit(&recorder->written, memory_order_relaxed);
    size_t step = recorder->channel_count;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        uint64_t place = (start + frame) & recorder->mask;
        recorder->samples[place * step + channel] = samples[frame];
    }
}

void bl_recorder_end_stretch(bl_recorder *recorder, uint32_t frames) BL_NONBLOCKING {
    uint64_t written = atomic_load_explicit(&recorder->written, memory_order_relaxed);
    if (recorder->has_room) {
        atomic_store_explicit(&recorder->written, written + frames, memory_order_release);
    } else {
        uint64_t is_new = recorder->pending == 0 ? 1 : 0;
        recorder->pending += frames;
        atomic_fetch_add_explicit(&recorder->drop_outs, is_new, memory_order_relaxed);
        atomic_fetch_add_explicit(&recorder->lost_frames, frames, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&recorder->frames, frames, memory_order_relaxed);
}

static const float silence[64];

void bl_recorder_skip(bl_recorder *recorder, uint32_t frames) BL_NONBLOCKING {
    const uint32_t most = sizeof silence / sizeof silence[0];
    for (uint32_t done = 0; done < frames; done += most) {
        uint32_t count = frames - done < most ? frames - done : most;
        bl_recorder_start_stretch(recorder, count);
        for (uint32_t channel = 0; channel < recorder->channel_count; channel += 1) {
            bl_recorder_write(recorder, channel, silence, count);
        }
        bl_recorder_end_stretch(recorder, count);
    }
}

void bl_recorder_finish(bl_recorder *recorder) { write_gap(recorder); }

bool bl_recorder_peek(bl_recorder *recorder, bl_recorded *next) {
    uint64_t written = atomic_load_explicit(&recorder->written, memory_order_acquire);
    uint64_t read = atomic_load_explicit(&recorder->read, memory_order_relaxed);
    if (!recorder->has_gap) {
        recorder->has_gap = bl_ring_pop(&recorder->gaps, &recorder->next_gap);
    }
    *next = (bl_recorded){0};
    uint64_t end = written;
    if (recorder->has_gap) {
        if (recorder->next_gap.position == read) {
            next->lost_frames = recorder->next_gap.frames;
            return true;
        }
        end = recorder->next_gap.position < end ? recorder->next_gap.position : end;
    }
    uint64_t place = read & recorder->mask;
    uint64_t unbroken = recorder->mask + 1 - place;
    uint64_t frames = end - read < unbroken ? end - read : unbroken;
    next->frames = (uint32_t)frames;
    next->samples = recorder->samples + place * recorder->channel_count;
    return frames > 0;
}

void bl_recorder_advance(bl_recorder *recorder, const bl_recorded *written) {
    if (written->lost_frames > 0) {
        recorder->has_gap = false;
    }
    uint64_t read = atomic_load_explicit(&recorder->read, memory_order_relaxed);
    atomic_store_explicit(&recorder->read, read + written->frames, memory_order_release);
}

uint64_t bl_recorder_frames(const bl_recorder *recorder) {
    return atomic_load_explicit(&recorder->frames, memory_order_relaxed);
}

uint64_t bl_recorder_lost_frames(const bl_recorder *recorder) {
    return atomic_load_explicit(&recorder->lost_frames, memory_order_relaxed);
}

uint64_t bl_recorder_drop_outs(const bl_recorder *recorder) {
    return atomic_load_explicit(&recorder->drop_outs, memory_order_relaxed);
}

/* The slot of a rack channel. */
static uint32_t rack_slot(const bl_graph *graph, const bl_tap *tap) {
    uint32_t count = tap->is_input ? graph->input_count : graph->output_count;
    if (tap->bus >= count) {
        return graph->silence_slot;
    }
    uint32_t channels = tap->is_input ? graph->input_channel_counts[tap->bus]
                                      : graph->outputs[tap->bus].channel_count;
    uint32_t slot =
        tap->is_input ? bl_rack_input_slot(graph, tap->bus) : graph->outputs[tap->bus].slot;
    return tap->channel < channels ? slot + tap->channel : graph->silence_slot;
}

static int by_node(const void *one, const void *other) {
    const bl_node_tap *left = one, *right = other;
    return (left->node > right->node) - (left->node < right->node);
}

void bl_graph_lower_taps(bl_graph *graph, const bl_graph_description *description) {
    bl_recording_taps *recording = &graph->recording;
    uint32_t count = description->tap_count;
    recording->nodes = bl_arena_allocate(&graph->arena, count + 1, sizeof *recording->nodes);
    recording->slots = bl_arena_allocate(&graph->arena, count + 1, sizeof *recording->slots);
    if (graph->arena.failed) {
        return;
    }
    uint32_t node_count = 0;
    for (uint32_t channel = 0; channel < count; channel += 1) {
        const bl_tap *tap = &description->taps[channel];
        if (tap->node < description->node_count) {
            const bl_lowered_node *lowered =
                bl_graph_lowered_node(graph, description->nodes[tap->node]);
            if (lowered != NULL && tap->bus < lowered->node->output_count) {
                const bl_lowered_output *output = &lowered->outputs[tap->bus];
                if (output->is_read && tap->channel < output->channel_count) {
                    recording->nodes[node_count++] =
                        (bl_node_tap){lowered, output->slot + tap->channel, channel};
                    continue;
                }
            }
        }
        uint32_t slot = tap->node == BL_RACK ? rack_slot(graph, tap) : graph->silence_slot;
        recording->slots[recording->slot_count++] = (bl_slot_tap){slot, channel};
    }
    qsort(recording->nodes, node_count, sizeof *recording->nodes, by_node);
    for (uint32_t index = node_count; index > 0; index -= 1) {
        bl_node_tap *tap = &recording->nodes[index - 1];
        graph->nodes[tap->node - graph->nodes].taps = tap;
    }
    recording->recorder = description->recorder;
}
