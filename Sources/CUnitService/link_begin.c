/* Posts a cycle to the unit's process. */

#include <string.h>

#include "link_private.h"

/* Replaces the lane by the one that the control side has made, once the former can be returned. */
static void replace_lane(bl_service_link *link) BL_NONBLOCKING {
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
        link->is_chained = false;
        link->owes_answer = false;
        link->has_midi = false;
    }
}

/* Whether there is a process that can take a request now. */
static bool is_free(bl_service_link *link, uint32_t frames) BL_NONBLOCKING {
    bl_service_lane *lane = link->lane;
    if (lane == NULL || atomic_load(&lane->is_dead) ||
        frames > lane->segment.shape.maximum_frames) {
        return false;
    }
    bl_service_words *words = lane->segment.words;
    if (lane->is_awaited && atomic_load(&words->answered) == lane->posted) {
        lane->is_awaited = false;
        bl_service_count(&link->answers);
    }
    if (!lane->is_awaited) {
        return true;
    }
    /* A request that waits for another unit's output is withdrawn, unless the process has claimed
       it meanwhile. */
    uint32_t posted = lane->posted;
    if (!link->is_chained ||
        !atomic_compare_exchange_strong(&words->posted, &posted, posted | BL_SERVICE_CLAIMED)) {
        return false;
    }
    lane->is_awaited = false;
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
                          const bl_render_host *host, bool is_chained) BL_NONBLOCKING {
    bl_service_request *request = &link->request;
    *request = (bl_service_request){
        .render_flags = flags,
        .frames = frames,
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
    if (is_chained) {
        request->connected_inputs = 1;
    }
    for (uint32_t bus = is_chained; bus < link->lane->segment.shape.input_bus_count; bus += 1) {
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

/* Where the process of `link` reads the output of `preceding`; BL_SERVICE_SOURCE_HOST where it
   cannot. */
static uint32_t source_of(const bl_service_link *link,
                          const bl_service_link *preceding) BL_NONBLOCKING {
    bool is_connected = preceding->turn == BL_TURN_POSTED &&
                        atomic_load_explicit(&link->lane->source_serial, memory_order_acquire) ==
                            preceding->lane->serial;
    return is_connected ? atomic_load_explicit(&link->lane->source, memory_order_relaxed)
                        : BL_SERVICE_SOURCE_HOST;
}

/* Posts the request; the process renders it once `preceding`, where there is one, has answered. */
static void post(bl_service_link *link, bl_service_link *preceding,
                 uint32_t source) BL_NONBLOCKING {
    bl_service_lane *lane = link->lane;
    bl_service_words *words = lane->segment.words;
    lane->posted += 2;
    lane->is_awaited = true;
    atomic_store_explicit(&words->source, source, memory_order_relaxed);
    if (preceding == NULL) {
        atomic_store(&words->posted, lane->posted);
        ring(lane->process->bell);
        return;
    }
    uint32_t awaited = preceding->lane->posted;
    bl_service_words *preceding_words = preceding->lane->segment.words;
    atomic_store_explicit(&words->source_sequence, awaited, memory_order_relaxed);
    atomic_store(&words->posted, lane->posted);
    /* The preceding process wakes this one, unless it has looked at `followed` already. */
    atomic_store(&preceding_words->followed, awaited);
    if (atomic_load(&preceding_words->answered) == awaited) {
        ring(lane->process->bell);
    }
    preceding->following = link;
    bl_service_count(&link->chained);
}

void bl_service_link_begin(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                           uint32_t frames, uint64_t output_busses, const bl_event *events,
                           const bl_render_host *host, const bl_unit *before) BL_NONBLOCKING {
    bl_service_link *link = (bl_service_link *)unit;
    bl_service_link *preceding = (bl_service_link *)(uintptr_t)before;
    replace_lane(link);
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
    uint32_t source = preceding != NULL ? source_of(link, preceding) : BL_SERVICE_SOURCE_HOST;
    if (preceding != NULL && source == BL_SERVICE_SOURCE_HOST) {
        link->turn = BL_TURN_NONE; /* posted when the kernel renders it, with its input */
        return;
    }
    write_request(link, flags, timestamp, frames, output_busses, events, host, preceding != NULL);
    post(link, preceding, source);
    link->turn = link->pipeline.samples != NULL ? BL_TURN_PIPELINED : BL_TURN_POSTED;
    link->owes_answer = link->pipeline.samples != NULL;
    link->is_chained = preceding != NULL;
    atomic_store_explicit(&link->owes_reset, false, memory_order_relaxed);
    bl_service_settle_events(link);
    bl_service_note_events(link, events, false);
    bl_service_count(&link->requests);
}
