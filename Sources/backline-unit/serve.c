/* The render thread: waits for requests and renders them. */

#define _GNU_SOURCE
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../CKernel/cycle/denormals.h"
#include "../CUnitService/futex.h"
#include "foreign_units/crash_report.h"
#include "lane.h"

/* Returns the segment whose output is the lane's first input; its memory is NULL if there is
   none. */
static const bl_service_segment *source_of(const bl_unit_process *process, const bl_lane *lane,
                                           uint32_t source) {
    static const bl_service_segment none;
    uint32_t number = source - BL_SERVICE_SOURCE_LANE;
    if (source == BL_SERVICE_SOURCE_NEIGHBOUR) {
        return &lane->neighbour;
    }
    return number < BL_SERVICE_MAXIMUM_LANES && process->lanes[number].is_allocated
               ? &process->lanes[number].segment
               : &none;
}

/* Copies a channel; false if a sample is NaN or infinity. */
static bool copy_channel(float *to, const float *from, uint32_t frames) {
    bool is_valid = true;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        to[frame] = from[frame];
        is_valid = is_valid && isfinite(to[frame]);
    }
    return is_valid;
}

/* Copies the source's first output to the lane's first input; a mono source, or the last channel of
   a narrower one, feeds the remaining channels. As in the host, silence replaces the output of a
   unit that did not render or rendered invalid samples. */
static void copy_input(const bl_lane *lane, const bl_service_segment *source) {
    const bl_service_segment *to = &lane->segment;
    uint32_t frames = to->request->frames, count = 0;
    bool is_valid = source->answer->status == BL_OK && source->shape.output_bus_count > 0 &&
                    frames <= source->shape.maximum_frames && frames <= to->shape.maximum_frames;
    if (to->shape.input_bus_count > 0 && frames <= to->shape.maximum_frames) {
        count = to->shape.input_channel_counts[0];
    }
    for (uint32_t channel = 0; channel < count && is_valid; channel += 1) {
        uint32_t last = source->shape.output_channel_counts[0] - 1;
        size_t from = (size_t)(channel < last ? channel : last) * bl_service_stride(source);
        is_valid = copy_channel(to->inputs + (size_t)channel * bl_service_stride(to),
                                source->outputs + from, frames);
    }
    for (uint32_t channel = 0; channel < count && !is_valid; channel += 1) {
        memset(to->inputs + (size_t)channel * bl_service_stride(to), 0, frames * sizeof(float));
    }
}

/* Renders one lane's request; false if it has none that can be rendered now. */
static bool serve(const bl_unit_process *process, bl_lane *lane) {
    if (!lane->is_allocated) {
        return false;
    }
    bl_service_words *words = lane->segment.words;
    uint32_t sequence = atomic_load(&words->posted);
    uint32_t source_number = atomic_load_explicit(&words->source, memory_order_relaxed);
    const bl_service_segment *source = source_of(process, lane, source_number);
    if ((sequence & BL_SERVICE_CLAIMED) != 0) {
        return false;
    }
    if (source_number != BL_SERVICE_SOURCE_HOST &&
        (source->memory == NULL ||
         atomic_load(&source->words->answered) != atomic_load(&words->source_sequence))) {
        return false;
    }
    /* Fails if the host has withdrawn the request: source and input may then belong to the next
     * one. */
    if (!atomic_compare_exchange_strong(&words->posted, &sequence, sequence | BL_SERVICE_CLAIMED)) {
        return false;
    }
    if (source_number != BL_SERVICE_SOURCE_HOST) {
        copy_input(lane, source);
    }
    bl_lane_render(lane);
    atomic_store(&words->answered, sequence);
    if (atomic_load(&words->host_sleeps) != 0 || atomic_load(&words->followed) == sequence) {
        bl_futex_wake(&words->answered);
    }
    return true;
}

typedef struct waits {
    bl_futex_wait_on words[1 + BL_SERVICE_MAXIMUM_LANES];
    uint32_t count;
} waits;

/* Lists the words to wait on, with their values before the lanes are checked: the bell, and the
   answers of units in other processes that lanes read. */
static void list_waits(waits *waits, const bl_unit_process *process) {
    waits->words[0] = bl_futex_while(&process->bell->rung, atomic_load(&process->bell->rung));
    waits->count = 1;
    for (uint32_t index = 0; index < BL_SERVICE_MAXIMUM_LANES; index += 1) {
        const bl_lane *lane = &process->lanes[index];
        if (lane->is_allocated && lane->neighbour.memory != NULL) {
            const _Atomic uint32_t *answered = &lane->neighbour.words->answered;
            waits->words[waits->count++] = bl_futex_while(answered, atomic_load(answered));
        }
    }
}

static bool has_changed(const waits *waits) {
    bool has_changed = false;
    for (uint32_t index = 0; index < waits->count; index += 1) {
        _Atomic uint32_t *word = (_Atomic uint32_t *)(uintptr_t)waits->words[index].word;
        has_changed = has_changed || atomic_load(word) != waits->words[index].value;
    }
    return has_changed;
}

/* Polls for the time set by the host. */
static void poll_for_change(const bl_service_bell *bell, const waits *waits) {
    uint32_t spin = atomic_load_explicit(&bell->spin, memory_order_relaxed);
    if (spin > 0) {
        int64_t end =
            bl_service_now() + (spin < BL_SERVICE_LONGEST_SPIN ? spin : BL_SERVICE_LONGEST_SPIN);
        while (!has_changed(waits) && bl_service_now() < end) {
        }
    }
}

static void sleep_until_change(bl_service_bell *bell, const waits *waits) {
    atomic_store(&bell->sleeps, 1);
    if (waits->count == 1) {
        bl_futex_wait(&bell->rung, (uint32_t)waits->words[0].value, BL_SERVICE_NEVER);
    } else {
        (void)bl_futex_wait_on_any(waits->words, waits->count);
    }
    atomic_store(&bell->sleeps, 0);
}

void *bl_serve(void *context) {
    bl_unit_process *process = context;
    bl_set_activity((bl_activity){"waiting", ""});
    bl_flush_denormals();
    atomic_store(&process->thread, (uint32_t)syscall(SYS_gettid));
    for (;;) {
        waits waits;
        bool any = false;
        pthread_mutex_lock(&process->serving);
        list_waits(&waits, process);
        for (uint32_t lane = 0; lane < BL_SERVICE_MAXIMUM_LANES; lane += 1) {
            any = serve(process, &process->lanes[lane]) || any;
        }
        if (!any) {
            poll_for_change(process->bell, &waits);
        }
        pthread_mutex_unlock(&process->serving);
        if (!any) {
            sleep_until_change(process->bell, &waits);
        }
    }
    return NULL;
}
