/* The cycle on its way to the process. */

#include <string.h>

#include "link_private.h"

/* Takes over a lane that control has made, once the one before it can be handed back. */
static void take_lane(bl_service_link *link) BL_NONBLOCKING {
    if (atomic_load_explicit(&link->incoming, memory_order_relaxed) == NULL ||
        (link->lane != NULL && atomic_load(&link->outgoing) != NULL)) {
        return;
    }
    bl_service_lane *lane = atomic_exchange(&link->incoming, NULL);
    if (lane != NULL) {
        if (link->lane != NULL) {
            atomic_store(&link->outgoing, link->lane);
        }
        link->lane = lane;
        link->owes_all = true;
        link->is_handed_on = false;
        link->owes_answer = false;
        link->has_midi = false;
    }
}

/* Is there a process, and has it answered all that it was asked? */
static bool is_free(bl_service_link *link, uint32_t frames) BL_NONBLOCKING {
    bl_service_lane *lane = link->lane;
    if (lane == NULL || atomic_load(&lane->is_dead) ||
        frames > lane->segment.shape.maximum_frames) {
        return false;
    }
    const bl_service_words *words = lane->segment.words;
    if (atomic_load(&words->answered) == lane->posted) {
        return true;
    }
    if (!link->is_handed_on || atomic_load(&words->posted) == lane->posted) {
        return false;
    }
    /* Who was to hand on to it did not come to that, and will not any more: what that request said
       is owed again. */
    link->is_handed_on = false;
    link->owes_all = true;
    link->has_lost_notes = true;
    if ((link->request.flags & BL_SERVICE_RESET) != 0) {
        atomic_store_explicit(&link->owes_reset, true, memory_order_relaxed);
    }
    return true;
}

static void write_input(bl_service_link *link, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, const bl_render_host *host) BL_NONBLOCKING {
    const bl_service_segment *segment = &link->lane->segment;
    float *samples = bl_service_input(segment, bus);
    float *pointers[BL_MAXIMUM_CHANNELS];
    uint32_t count = segment->shape.input_channel_counts[bus];
    for (uint32_t channel = 0; channel < count; channel += 1) {
        pointers[channel] = samples + (size_t)channel * bl_service_stride(segment);
    }
    bl_buffers buffers = {count, pointers};
    bl_status status = host->pull_input(host->context, flags, timestamp, frames, bus, &buffers);
    for (uint32_t channel = 0; channel < count; channel += 1) {
        float *place = samples + (size_t)channel * bl_service_stride(segment);
        if (status != BL_OK) {
            memset(place, 0, frames * sizeof(float));
        } else if (pointers[channel] != place) {
            memcpy(place, pointers[channel], frames * sizeof(float));
        }
    }
    link->request.connected_inputs |= (uint64_t)(status == BL_OK) << bus;
}

static void write_request(bl_service_link *link, uint32_t flags, const bl_timestamp *timestamp,
                          uint32_t frames, uint64_t output_busses, const bl_event *events,
                          const bl_render_host *host, bool is_handed_on) BL_NONBLOCKING {
    bl_service_request *request = &link->request;
    *request = (bl_service_request){
        .render_flags = flags,
        .frames = frames,
        .sequence = link->lane->posted + 1,
        .output_busses = output_busses,
        .sample_time = timestamp->sample_time,
    };
    if (atomic_load_explicit(&link->owes_reset, memory_order_relaxed)) {
        request->flags |= BL_SERVICE_RESET;
    }
    if (host->musical_context != NULL) {
        request->flags |= BL_SERVICE_HAS_MUSIC;
        request->music = *host->musical_context;
    }
    if (host->transport_state != NULL) {
        request->flags |= BL_SERVICE_HAS_TRANSPORT;
        request->transport = *host->transport_state;
    }
    if (is_handed_on) {
        request->connected_inputs = 1;
    }
    for (uint32_t bus = is_handed_on; bus < link->lane->segment.shape.input_bus_count; bus += 1) {
        write_input(link, flags, timestamp, frames, bus, host);
    }
    bl_service_write_events(link, events);
    *link->lane->segment.request = *request;
}

static void ring(bl_service_bell *bell) BL_NONBLOCKING {
    atomic_fetch_add(&bell->rung, 1);
    if (atomic_load(&bell->sleeps) != 0) {
        bl_futex_wake(&bell->rung);
    }
}

/* What the one before has to say for its process to hand on to ours; 0 where it cannot. */
static uint32_t word_of(const bl_service_link *preceding,
                        const bl_service_link *link) BL_NONBLOCKING {
    bool knows = preceding->turn == BL_TURN_POSTED &&
                 atomic_load_explicit(&preceding->lane->next_serial, memory_order_acquire) ==
                     link->lane->serial;
    return knows ? atomic_load_explicit(&preceding->lane->next_word, memory_order_relaxed)
                 : BL_SERVICE_NOBODY;
}

void bl_service_link_begin(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                           uint32_t frames, uint64_t output_busses, const bl_event *events,
                           const bl_render_host *host, const bl_unit *before) BL_NONBLOCKING {
    bl_service_link *link = (bl_service_link *)unit;
    bl_service_link *preceding = (bl_service_link *)(uintptr_t)before;
    take_lane(link);
    link->turn = BL_TURN_LOST;
    link->following = NULL;
    link->is_out_of_time = false;
    link->cycle_time = timestamp->sample_time;
    link->rendered_busses = 0;
    link->wanted_busses = output_busses;
    if (link->pipeline.samples != NULL) {
        bl_service_pipeline_begin(&link->pipeline, timestamp->sample_time);
        bl_service_take_answer(link, flags);
        if (preceding != NULL) {
            link->turn = BL_TURN_NONE;
            return;
        }
    }
    if (!is_free(link, frames)) {
        bl_service_keep_events(link, events);
        bl_service_count(&link->absent);
        return;
    }
    bl_service_lane *lane = link->lane;
    bl_service_words *words = lane->segment.words;
    uint32_t word = preceding != NULL ? word_of(preceding, link) : BL_SERVICE_NOBODY;
    if (preceding != NULL && word == BL_SERVICE_NOBODY) {
        link->turn = BL_TURN_NONE; /* at its own turn, then */
        return;
    }
    write_request(link, flags, timestamp, frames, output_busses, events, host, preceding != NULL);
    atomic_store_explicit(&words->hand_on, BL_SERVICE_NOBODY, memory_order_relaxed);
    if (preceding == NULL) {
        atomic_store(&words->posted, link->request.sequence);
        ring(lane->process->bell);
    } else {
        uint32_t nobody = BL_SERVICE_NOBODY;
        _Atomic uint32_t *hand_on = &preceding->lane->segment.words->hand_on;
        if (!atomic_compare_exchange_strong(hand_on, &nobody, word)) {
            link->turn = BL_TURN_NONE; /* that one was quicker than we */
            return;
        }
        preceding->following = link;
        bl_service_count(&link->handed_on);
    }
    lane->posted = link->request.sequence;
    link->turn = link->pipeline.samples != NULL ? BL_TURN_PIPELINED : BL_TURN_POSTED;
    link->owes_answer = link->pipeline.samples != NULL;
    link->is_handed_on = preceding != NULL;
    atomic_store_explicit(&link->owes_reset, false, memory_order_relaxed);
    bl_service_settle_events(link);
    bl_service_note_events(link, events, false);
    bl_service_count(&link->requests);
}
