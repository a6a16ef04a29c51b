/* Posts a cycle, with its events, to the unit's process. */

#include <string.h>

#include "link_private.h"

bool bl_service_can_set(const bl_service_link *link, uint32_t place) BL_NONBLOCKING {
    uint32_t count = link->descriptor->parameter_count;
    uint32_t flags = count > 0 ? link->descriptor->parameters[place % count].flags : 0;
    bool is_there = count > 0 && place / count < link->input_bus_count;
    return is_there && (flags & BL_PARAMETER_WRITABLE) != 0 &&
           (place < count || (flags & BL_PARAMETER_PER_INPUT_BUS) != 0);
}

static uint32_t write_settings(bl_service_link *link) BL_NONBLOCKING {
    uint32_t count = 0;
    bool has_unsent = atomic_load_explicit(&link->has_unsent, memory_order_relaxed);
    for (uint32_t place = 0; (link->needs_all || has_unsent) && place < link->value_count;
         place += 1) {
        bool is_unsent = atomic_load_explicit(&link->is_unsent[place], memory_order_relaxed);
        if ((is_unsent || link->needs_all) && bl_service_can_set(link, place)) {
            float value = atomic_load_explicit(&link->values[place], memory_order_relaxed);
            link->lane->segment.settings[count++] = (bl_service_setting){place, value};
        }
    }
    return count;
}

/* Allocates an event with `length` bytes; without room, returns NULL and counts the event as
   lost. */
static bl_service_event *next_event(bl_service_link *link, uint32_t length) BL_NONBLOCKING {
    bl_service_request *request = &link->request;
    if (request->event_count == BL_SERVICE_EVENT_CAPACITY ||
        length > BL_SERVICE_BYTE_CAPACITY - request->byte_count) {
        bl_service_count(&link->events_lost);
        return NULL;
    }
    return &link->lane->segment.events[request->event_count++];
}

static void write_midi(bl_service_link *link, int64_t time, bl_event_type type, uint32_t cable,
                       const uint8_t *bytes, uint32_t length, uint32_t note_id) BL_NONBLOCKING {
    bl_service_event *record = next_event(link, length);
    if (record == NULL) {
        return;
    }
    uint32_t first = link->request.byte_count;
    memcpy(link->lane->segment.bytes + first, bytes, length);
    link->request.byte_count += length;
    *record = (bl_service_event){.sample_time = time,
                                 .type = type,
                                 .cable = cable,
                                 .note_id = note_id,
                                 .first_byte = first,
                                 .length = length};
}

static void write_event(bl_service_link *link, const bl_event *event) BL_NONBLOCKING {
    if (event->type == BL_EVENT_MIDI) {
        write_midi(link, event->sample_time, BL_EVENT_MIDI, event->midi.cable, event->midi.bytes,
                   event->midi.length, event->note_id);
    } else if (event->type == BL_EVENT_SYSTEM_EXCLUSIVE) {
        const bl_system_exclusive_event *message = &event->system_exclusive;
        write_midi(link, event->sample_time, event->type, message->cable, message->data,
                   message->length, 0);
    } else {
        bl_service_event *record = next_event(link, 0);
        if (record != NULL) {
            *record = (bl_service_event){.sample_time = event->sample_time, .type = event->type};
            if (event->type == BL_EVENT_NOTE_EXPRESSION) {
                record->expression = event->expression;
            } else {
                record->parameter = event->parameter;
            }
        }
    }
}

static void write_silence(bl_service_link *link) BL_NONBLOCKING {
    uint32_t cables = link->descriptor->virtual_midi_cable_count;
    cables = cables == 0 ? 1 : cables < 16 ? cables : 16;
    for (uint32_t channel = 0; channel < 16 * cables; channel += 1) {
        uint8_t status = (uint8_t)(BL_CONTROLLER | (channel & 15));
        const uint8_t controllers[] = {BL_SUSTAIN_PEDAL, BL_SOSTENUTO_PEDAL, BL_ALL_NOTES_OFF};
        for (uint32_t index = 0; index < 3; index += 1) {
            uint8_t bytes[3] = {status, controllers[index], 0};
            write_midi(link, link->cycle_time, BL_EVENT_MIDI, channel / 16, bytes, 3, 0);
        }
    }
}

static void write_events(bl_service_link *link, const bl_event *events) BL_NONBLOCKING {
    link->request.setting_count = write_settings(link);
    link->request.event_count = 0;
    link->request.byte_count = 0;
    if (link->has_lost_notes && (link->descriptor->flags & BL_UNIT_MIDI_INPUT) != 0) {
        write_silence(link);
    }
    for (uint32_t index = 0; index < link->backlog_count; index += 1) {
        const bl_midi_event *kept = &link->backlog[index];
        write_midi(link, link->cycle_time, BL_EVENT_MIDI, kept->cable, kept->bytes, kept->length,
                   0);
    }
    for (const bl_event *event = events; event != NULL; event = event->next) {
        write_event(link, event);
    }
}

void bl_service_record_values(bl_service_link *link, const bl_event *events,
                              bool is_unsent) BL_NONBLOCKING {
    for (const bl_event *event = events; event != NULL; event = event->next) {
        uint32_t place = link->value_count;
        if (bl_event_is_parameter(event)) {
            place = bl_parameter_place(event->parameter.address, link->descriptor->parameter_count,
                                       link->value_count);
        }
        if (place < link->value_count) {
            atomic_store_explicit(&link->values[place], event->parameter.value,
                                  memory_order_relaxed);
            if (is_unsent) {
                atomic_store_explicit(&link->is_unsent[place], true, memory_order_relaxed);
                atomic_store_explicit(&link->has_unsent, true, memory_order_relaxed);
            }
        }
    }
}

void bl_service_clear_unsent(bl_service_link *link) BL_NONBLOCKING {
    bool has_unsent = atomic_load_explicit(&link->has_unsent, memory_order_relaxed);
    for (uint32_t place = 0; has_unsent && place < link->value_count; place += 1) {
        atomic_store_explicit(&link->is_unsent[place], false, memory_order_relaxed);
    }
    atomic_store_explicit(&link->has_unsent, false, memory_order_relaxed);
    link->needs_all = false;
    link->has_lost_notes = false;
    link->backlog_count = 0;
}

/* Keeps events that must not be lost while the process accepts no requests: parameters, and MIDI
   except note-ons, which would come too late. */
static void defer_events(bl_service_link *link, const bl_event *events) BL_NONBLOCKING {
    bl_service_record_values(link, events, true);
    for (const bl_event *event = events; event != NULL; event = event->next) {
        if (event->type != BL_EVENT_MIDI || bl_midi_is_note_on(&event->midi)) {
            continue;
        }
        if (link->backlog_count < BL_SERVICE_BACKLOG) {
            link->backlog[link->backlog_count++] = event->midi;
        } else {
            link->has_lost_notes = true;
        }
    }
}

/* Replaces the lane by a new one from the control side, once the former can be returned. */
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
        link->needs_all = true;
        link->is_chained = false;
        link->awaits_pipelined = false;
        link->has_midi = false;
    }
}

/* Whether the process can accept a request. */
static bool is_free(bl_service_link *link, uint32_t frames) BL_NONBLOCKING {
    bl_service_lane *lane = link->lane;
    if (lane == NULL || atomic_load(&lane->is_dead) ||
        frames > lane->segment.shape.maximum_frames) {
        return false;
    }
    bl_service_words *words = lane->segment.words;
    if (lane->is_pending && atomic_load(&words->answered) == lane->posted) {
        lane->is_pending = false;
        bl_service_count(&link->answers);
    }
    if (!lane->is_pending) {
        return true;
    }
    /* Withdraw a request that waits for another unit's output, unless the process has claimed it
       meanwhile. */
    uint32_t posted = lane->posted;
    if (!link->is_chained ||
        !atomic_compare_exchange_strong(&words->posted, &posted, posted | BL_SERVICE_CLAIMED)) {
        return false;
    }
    lane->is_pending = false;
    link->needs_all = true;
    link->has_lost_notes = true;
    if ((link->request.flags & BL_SERVICE_RESET) != 0) {
        atomic_store_explicit(&link->needs_reset, true, memory_order_relaxed);
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
        .telemetry = link->wanted_telemetry,
    };
    link->wanted_telemetry = 0;
    if (atomic_load_explicit(&link->needs_reset, memory_order_relaxed)) {
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
    write_events(link, events);
    *link->lane->segment.request = *request;
}

/* Returns the source by which the process of `link` reads the output of `preceding`;
   BL_SERVICE_SOURCE_HOST if it cannot. */
static uint32_t source_of(const bl_service_link *link,
                          const bl_service_link *preceding) BL_NONBLOCKING {
    bool is_connected = preceding->state == BL_CYCLE_POSTED &&
                        atomic_load_explicit(&link->lane->source_serial, memory_order_acquire) ==
                            preceding->lane->serial;
    return is_connected ? atomic_load_explicit(&link->lane->source, memory_order_relaxed)
                        : BL_SERVICE_SOURCE_HOST;
}

/* Posts the request; the process renders it once `preceding`, if not NULL, has answered. */
static void post(bl_service_link *link, bl_service_link *preceding,
                 uint32_t source) BL_NONBLOCKING {
    bl_service_lane *lane = link->lane;
    bl_service_words *words = lane->segment.words;
    lane->posted += 2;
    lane->is_pending = true;
    atomic_store_explicit(&words->source, source, memory_order_relaxed);
    if (preceding == NULL) {
        atomic_store(&words->posted, lane->posted);
        bl_service_ring(lane->process->bell);
        return;
    }
    uint32_t awaited = preceding->lane->posted;
    bl_service_words *preceding_words = preceding->lane->segment.words;
    atomic_store_explicit(&words->source_sequence, awaited, memory_order_relaxed);
    atomic_store(&words->posted, lane->posted);
    /* The preceding process wakes this one, unless it has read `followed` already. */
    atomic_store(&preceding_words->followed, awaited);
    if (atomic_load(&preceding_words->answered) == awaited) {
        bl_service_ring(lane->process->bell);
    }
    preceding->following = link;
    bl_service_count(&link->chained);
}

void bl_service_link_dispatch(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, uint64_t output_busses, const bl_event *events,
                              const bl_render_host *host, const bl_unit *before) BL_NONBLOCKING {
    bl_service_link *link = (bl_service_link *)unit;
    bl_service_link *preceding = (bl_service_link *)(uintptr_t)before;
    replace_lane(link);
    link->state = BL_CYCLE_LOST;
    link->following = NULL;
    link->has_timed_out = false;
    link->cycle_time = timestamp->sample_time;
    link->rendered_busses = 0;
    link->requested_busses = output_busses;
    if (link->pipeline.samples != NULL) {
        bl_service_pipeline_start(&link->pipeline, timestamp->sample_time);
        bl_service_receive_pipelined(link, flags);
        if (preceding != NULL) {
            link->state = BL_CYCLE_NONE;
            return;
        }
    }
    if (!is_free(link, frames)) {
        defer_events(link, events);
        bl_service_count(&link->absent);
        return;
    }
    uint32_t source = preceding != NULL ? source_of(link, preceding) : BL_SERVICE_SOURCE_HOST;
    if (preceding != NULL && source == BL_SERVICE_SOURCE_HOST) {
        link->state = BL_CYCLE_NONE; /* posted with its input, when the kernel renders it */
        return;
    }
    write_request(link, flags, timestamp, frames, output_busses, events, host, preceding != NULL);
    post(link, preceding, source);
    link->state = link->pipeline.samples != NULL ? BL_CYCLE_PIPELINED : BL_CYCLE_POSTED;
    link->awaits_pipelined = link->pipeline.samples != NULL;
    link->is_chained = preceding != NULL;
    atomic_store_explicit(&link->needs_reset, false, memory_order_relaxed);
    bl_service_clear_unsent(link);
    bl_service_record_values(link, events, false);
    bl_service_count(&link->requests);
}
