/* What a cycle brings, on its way to the process; and what is kept for it while it takes nothing.
 */

#include <string.h>

#include "link_private.h"

uint32_t bl_service_place(const bl_service_link *link,
                          bl_parameter_address address) BL_NONBLOCKING {
    uint32_t index = BL_PARAMETER_INDEX(address), count = link->descriptor->parameter_count;
    uint64_t place = (uint64_t)BL_PARAMETER_INPUT_BUS(address) * count + index;
    return index < count && place < link->value_count ? (uint32_t)place : link->value_count;
}

/* Is it there to be set? */
static bool is_setting(const bl_service_link *link, uint32_t place) BL_NONBLOCKING {
    uint32_t count = link->descriptor->parameter_count;
    uint32_t flags = count > 0 ? link->descriptor->parameters[place % count].flags : 0;
    bool is_there = count > 0 && place / count < link->input_bus_count;
    return is_there && (flags & BL_PARAMETER_WRITABLE) != 0 &&
           (place < count || (flags & BL_PARAMETER_PER_INPUT_BUS) != 0);
}

static uint32_t write_settings(bl_service_link *link) BL_NONBLOCKING {
    uint32_t count = 0;
    bool owes_some = atomic_load_explicit(&link->owes_some, memory_order_relaxed);
    for (uint32_t place = 0; (link->owes_all || owes_some) && place < link->value_count;
         place += 1) {
        bool is_owed = atomic_load_explicit(&link->is_owed[place], memory_order_relaxed);
        if ((is_owed || link->owes_all) && is_setting(link, place)) {
            float value = atomic_load_explicit(&link->told[place], memory_order_relaxed);
            link->lane->segment.settings[count++] = (bl_service_setting){place, value};
        }
    }
    return count;
}

/* Room for one more event of so many bytes; NULL, counted, when there is none. */
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
                       const uint8_t *bytes, uint32_t length) BL_NONBLOCKING {
    bl_service_event *record = next_event(link, length);
    if (record == NULL) {
        return;
    }
    uint32_t first = link->request.byte_count;
    memcpy(link->lane->segment.bytes + first, bytes, length);
    link->request.byte_count += length;
    *record = (bl_service_event){
        .sample_time = time, .type = type, .cable = cable, .first_byte = first, .length = length};
}

static void write_event(bl_service_link *link, const bl_event *event) BL_NONBLOCKING {
    switch (event->type) {
    case BL_EVENT_PARAMETER:
    case BL_EVENT_PARAMETER_RAMP: {
        bl_service_event *record = next_event(link, 0);
        if (record != NULL) {
            *record = (bl_service_event){.sample_time = event->sample_time,
                                         .type = event->type,
                                         .address = event->parameter.address,
                                         .value = event->parameter.value,
                                         .ramp_duration = event->parameter.ramp_duration};
        }
        break;
    }
    case BL_EVENT_MIDI:
        write_midi(link, event->sample_time, BL_EVENT_MIDI, event->midi.cable, event->midi.bytes,
                   event->midi.length);
        break;
    case BL_EVENT_SYSTEM_EXCLUSIVE:
        write_midi(link, event->sample_time, BL_EVENT_SYSTEM_EXCLUSIVE,
                   event->system_exclusive.cable, event->system_exclusive.data,
                   event->system_exclusive.length);
        break;
    }
}

/* Ends every note on every channel: sustain off, all notes off (MIDI 1.0, controllers 64, 123). */
static void write_silence(bl_service_link *link) BL_NONBLOCKING {
    uint32_t cables = link->descriptor->virtual_midi_cable_count;
    cables = cables == 0 ? 1 : cables < 16 ? cables : 16;
    for (uint32_t channel = 0; channel < 16 * cables; channel += 1) {
        uint8_t status = (uint8_t)(0xB0 | (channel & 15));
        uint8_t pedal[3] = {status, 64, 0}, notes[3] = {status, 123, 0};
        write_midi(link, link->cycle_time, BL_EVENT_MIDI, channel / 16, pedal, 3);
        write_midi(link, link->cycle_time, BL_EVENT_MIDI, channel / 16, notes, 3);
    }
}

void bl_service_write_events(bl_service_link *link, const bl_event *events) BL_NONBLOCKING {
    link->request.setting_count = write_settings(link);
    link->request.event_count = 0;
    link->request.byte_count = 0;
    if (link->has_lost_notes && (link->descriptor->flags & BL_UNIT_MIDI_INPUT) != 0) {
        write_silence(link);
    }
    for (uint32_t index = 0; index < link->backlog_count; index += 1) {
        const bl_midi_event *kept = &link->backlog[index];
        write_midi(link, link->cycle_time, BL_EVENT_MIDI, kept->cable, kept->bytes, kept->length);
    }
    for (const bl_event *event = events; event != NULL; event = event->next) {
        write_event(link, event);
    }
}

void bl_service_note_events(bl_service_link *link, const bl_event *events,
                            bool is_owed) BL_NONBLOCKING {
    for (const bl_event *event = events; event != NULL; event = event->next) {
        bool is_change =
            event->type == BL_EVENT_PARAMETER || event->type == BL_EVENT_PARAMETER_RAMP;
        uint32_t place =
            is_change ? bl_service_place(link, event->parameter.address) : link->value_count;
        if (place < link->value_count) {
            atomic_store_explicit(&link->told[place], event->parameter.value, memory_order_relaxed);
            if (is_owed) {
                atomic_store_explicit(&link->is_owed[place], true, memory_order_relaxed);
                atomic_store_explicit(&link->owes_some, true, memory_order_relaxed);
            }
        }
    }
}

void bl_service_settle_events(bl_service_link *link) BL_NONBLOCKING {
    bool owes_some = atomic_load_explicit(&link->owes_some, memory_order_relaxed);
    for (uint32_t place = 0; owes_some && place < link->value_count; place += 1) {
        atomic_store_explicit(&link->is_owed[place], false, memory_order_relaxed);
    }
    atomic_store_explicit(&link->owes_some, false, memory_order_relaxed);
    link->owes_all = false;
    link->has_lost_notes = false;
    link->backlog_count = 0;
}

/* Notes that begin now would begin too late; all else is told once somebody listens, the ends of
   notes above all. */
void bl_service_keep_events(bl_service_link *link, const bl_event *events) BL_NONBLOCKING {
    bl_service_note_events(link, events, true);
    for (const bl_event *event = events; event != NULL; event = event->next) {
        bool is_note_on = event->type == BL_EVENT_MIDI && (event->midi.bytes[0] & 0xF0) == 0x90 &&
                          event->midi.bytes[2] > 0;
        if (event->type != BL_EVENT_MIDI || is_note_on) {
            continue;
        }
        if (link->backlog_count < BL_SERVICE_BACKLOG) {
            link->backlog[link->backlog_count++] = event->midi;
        } else {
            link->has_lost_notes = true;
        }
    }
}
