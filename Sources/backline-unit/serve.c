/* The render thread: waits for the bell, answers every request there is, hands on. */

#define _GNU_SOURCE
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../CKernel/cycle/denormals.h"
#include "../CUnitService/futex.h"
#include "lane.h"

static void ring(bl_service_bell *bell) {
    atomic_fetch_add(&bell->rung, 1);
    if (atomic_load(&bell->sleeps) != 0) {
        bl_futex_wake(&bell->rung);
    }
}

/* What the host lets be heard of a unit, on its first output: all of it, or nothing where it did
   not render or rendered what cannot be meant. */
static bool is_sound(const bl_lane *lane, bl_status status, uint32_t frames) {
    const bl_service_segment *from = &lane->segment;
    uint32_t channels = from->shape.output_bus_count > 0 ? from->shape.output_channel_counts[0] : 0;
    bool is_sound = status == BL_OK;
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        const float *samples = from->outputs + (size_t)channel * bl_service_stride(from);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            is_sound = is_sound && fabsf(samples[frame]) <= BL_SERVICE_BEYOND_MEASURE;
        }
    }
    return is_sound;
}

/* The unit's first output becomes the other's first input, as far as both have channels; the last
   that there is goes on to those that are left. */
static void copy_on(const bl_service_segment *from, const bl_service_segment *to, uint32_t frames,
                    bool is_sound) {
    uint32_t given = from->shape.output_bus_count > 0 ? from->shape.output_channel_counts[0] : 0;
    uint32_t wanted = to->shape.input_bus_count > 0 ? to->shape.input_channel_counts[0] : 0;
    for (uint32_t channel = 0; channel < wanted; channel += 1) {
        uint32_t source = channel < given ? channel : given - 1;
        float *place = to->inputs + (size_t)channel * bl_service_stride(to);
        if (is_sound && given > 0) {
            memcpy(place, from->outputs + (size_t)source * bl_service_stride(from),
                   frames * sizeof(float));
        } else {
            memset(place, 0, frames * sizeof(float));
        }
    }
}

static void hand_on(bl_unit_process *process, const bl_lane *lane, uint32_t whom,
                    bl_status status) {
    const bl_service_segment *next = NULL;
    bl_service_bell *bell = NULL;
    if (whom >= BL_SERVICE_NEIGHBOUR &&
        whom - BL_SERVICE_NEIGHBOUR < BL_SERVICE_MAXIMUM_NEIGHBOURS) {
        bl_neighbour *neighbour = &process->neighbours[whom - BL_SERVICE_NEIGHBOUR];
        next = &neighbour->segment;
        bell = neighbour->bell;
    } else if (whom >= BL_SERVICE_OWN_LANE &&
               whom - BL_SERVICE_OWN_LANE < BL_SERVICE_MAXIMUM_LANES) {
        next = &process->lanes[whom - BL_SERVICE_OWN_LANE].segment;
    }
    if (next == NULL || next->memory == NULL ||
        lane->answered_frames > next->shape.maximum_frames) {
        return;
    }
    copy_on(&lane->segment, next, lane->answered_frames,
            is_sound(lane, status, lane->answered_frames));
    atomic_store(&next->words->posted, next->request->sequence);
    if (bell != NULL) {
        ring(bell);
    }
}

/* Answers what one lane is asked; false when that is nothing. */
static bool serve(bl_unit_process *process, bl_lane *lane) {
    if (!lane->is_allocated) {
        return false;
    }
    bl_service_words *words = lane->segment.words;
    uint32_t posted = atomic_load(&words->posted);
    if (posted == lane->answered) {
        return false;
    }
    bl_status status = bl_lane_answer(lane, posted);
    /* Before the host can put in the next cycle's word. */
    uint32_t whom = atomic_exchange(&words->hand_on, BL_SERVICE_CLOSED);
    /* Before the next one begins: whoever waits for that one takes this answer for granted. */
    atomic_store(&words->answered, posted);
    hand_on(process, lane, whom, status);
    /* Last: one that hands on is not waited for, as a rule. */
    if (atomic_load(&words->host_sleeps) != 0) {
        bl_futex_wake(&words->answered);
    }
    return true;
}

static void wait_for_bell(bl_service_bell *bell, uint32_t rung) {
    uint32_t spin = atomic_load_explicit(&bell->spin, memory_order_relaxed);
    if (spin > 0) {
        int64_t end =
            bl_service_now() + (spin < BL_SERVICE_LONGEST_SPIN ? spin : BL_SERVICE_LONGEST_SPIN);
        while (atomic_load(&bell->rung) == rung && bl_service_now() < end) {
        }
    }
    atomic_store(&bell->sleeps, 1);
    while (atomic_load(&bell->rung) == rung) {
        bl_futex_wait(&bell->rung, rung, BL_SERVICE_NEVER);
    }
    atomic_store(&bell->sleeps, 0);
}

void *bl_serve(void *context) {
    bl_unit_process *process = context;
    bl_flush_denormals();
    atomic_store(&process->thread, (uint32_t)syscall(SYS_gettid));
    for (;;) {
        uint32_t rung = atomic_load(&process->bell->rung);
        bool any = false;
        pthread_mutex_lock(&process->serving);
        for (uint32_t lane = 0; lane < BL_SERVICE_MAXIMUM_LANES; lane += 1) {
            any = serve(process, &process->lanes[lane]) || any;
        }
        pthread_mutex_unlock(&process->serving);
        if (!any) {
            wait_for_bell(process->bell, rung);
        }
    }
    return NULL;
}
