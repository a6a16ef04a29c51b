/* Carries messages along the cables of a stretch. */

#include <string.h>

#include "event_source.h"

#define SYSTEM_EXCLUSIVE_BYTES (1u << 17)

void bl_midi_memory_allocate(bl_midi_memory *memory, bl_arena *arena, uint32_t event_capacity) {
    size_t events = (size_t)event_capacity + BL_MIDI_RELEASE_ROOM;
    memory->event_capacity = event_capacity;
    memory->events = bl_arena_allocate(arena, events, sizeof(bl_event));
    memory->bytes = bl_arena_allocate(arena, SYSTEM_EXCLUSIVE_BYTES, 1);
}

static void follow(bl_held_notes *held, const bl_event *event) BL_NONBLOCKING {
    if (bl_event_ends_note(event)) {
        bl_midi_hold(held, event, false);
    } else if (event->type == BL_EVENT_MIDI &&
               (bl_event_is_pedal(event) || bl_midi_is_note_on(&event->midi))) {
        bl_midi_hold(held, event, true);
    }
}

/* Lets a later stretch end the note of a lost event. */
static void lose_end(bl_midi_memory *memory, bl_lowered_midi_cable *cable,
                     const bl_event *event) BL_NONBLOCKING {
    if (bl_event_ends_note(event) && bl_midi_hold(&cable->held, event, false) &&
        !bl_midi_remember_end(memory, cable->destination, cable->destination_cable, event)) {
        bl_midi_hold(&cable->held, event, true);
    }
}

bool bl_midi_carry(bl_event_source *source, bl_lowered_midi_cable *cable, const bl_event *event,
                   uint32_t room) BL_NONBLOCKING {
    bl_midi_memory *memory = &source->midi;
    if (memory->event_count >= room) {
        source->lost += 1;
        lose_end(memory, cable, event);
        return false;
    }
    bl_event *before = cable->stretch == source->stretch ? cable->last_sent : NULL;
    int64_t earliest = before != NULL ? before->sample_time : source->sample_time;
    int64_t latest = source->sample_time + source->frames - 1;
    bl_event *copy = &memory->events[memory->event_count++];
    *copy = *event;
    copy->sample_time = copy->sample_time < latest ? copy->sample_time : latest;
    copy->sample_time = copy->sample_time > earliest ? copy->sample_time : earliest;
    uint8_t number = (uint8_t)cable->destination_cable;
    if (copy->type == BL_EVENT_MIDI) {
        copy->midi.cable = number;
    } else {
        copy->system_exclusive.cable = number;
    }
    if (cable->destination != NULL) {
        bl_event_source_insert(source, cable->destination, before, copy);
    } else {
        bl_event_list_insert(&source->plan->midi.outputs[cable->destination_cable], before, copy);
    }
    follow(&cable->held, copy);
    cable->last_sent = copy;
    cable->stretch = source->stretch;
    return true;
}

bool bl_midi_admits(const bl_lowered_midi_cable *cable, const bl_event *event) BL_NONBLOCKING {
    const uint8_t *bytes = event->midi.bytes;
    if (event->type != BL_EVENT_MIDI || bytes[0] >= BL_SYSTEM_EXCLUSIVE) {
        return true;
    }
    bool has_key = bytes[0] < BL_CONTROLLER && cable->note_count > 0;
    return (cable->channels == 0 || (cable->channels >> (bytes[0] & 15) & 1) != 0) &&
           (!has_key || (uint8_t)(bytes[1] - cable->lowest_note) < cable->note_count);
}

/* Carries an event along those of a sender's cables with one number that admit it. */
static bl_status carry_all(bl_event_source *source, bl_lowered_midi_cable *cables, uint32_t count,
                           uint32_t number, const bl_event *event) BL_NONBLOCKING {
    bl_status status = BL_ERROR_NO_CONNECTION;
    for (bl_lowered_midi_cable *cable = cables; cable < cables + count; cable += 1) {
        if (cable->source_cable != number) {
            continue;
        }
        bool has_room = !bl_midi_admits(cable, event) ||
                        bl_midi_carry(source, cable, event, source->midi.event_capacity);
        status = has_room && status != BL_ERROR_OUT_OF_MEMORY ? BL_OK : BL_ERROR_OUT_OF_MEMORY;
    }
    return status;
}

void bl_midi_send_input(bl_event_source *source, uint32_t port,
                        const bl_event *event) BL_NONBLOCKING {
    const bl_midi_wiring *wiring = &source->plan->midi;
    carry_all(source, wiring->cables, wiring->input_cable_count, port, event);
}

void bl_midi_lose_input(bl_event_source *source, uint32_t port,
                        const bl_event *event) BL_NONBLOCKING {
    for (uint32_t index = 0; index < source->plan->midi.input_cable_count; index += 1) {
        bl_lowered_midi_cable *cable = &source->plan->midi.cables[index];
        if (cable->source_cable == port && bl_midi_admits(cable, event)) {
            lose_end(&source->midi, cable, event);
        }
    }
}

/* Copies the message of a system exclusive event into the cycle's memory; false without room. */
static bool copy_bytes(bl_midi_memory *memory, bl_event *event) BL_NONBLOCKING {
    uint32_t length = event->system_exclusive.length;
    if (length > SYSTEM_EXCLUSIVE_BYTES - memory->byte_count) {
        return false;
    }
    uint8_t *bytes = memory->bytes + memory->byte_count;
    memcpy(bytes, event->system_exclusive.data, length);
    memory->byte_count += length;
    event->system_exclusive.data = bytes;
    return true;
}

bl_status bl_midi_send(bl_event_source *source, const bl_midi_sender *sender, int64_t sample_time,
                       uint8_t cable, uint32_t length, const uint8_t *bytes) BL_NONBLOCKING {
    bl_midi_message message = {.length = length, .data = bytes};
    bool is_late = sample_time < source->sample_time;
    bl_event event = {.sample_time = is_late ? source->sample_time : sample_time};
    if (!bl_midi_read_message(&message, &event)) {
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    bool is_connected = false, is_passed = false;
    for (uint32_t index = 0; index < sender->cable_count; index += 1) {
        bl_lowered_midi_cable *way = &sender->cables[index];
        if (way->source_cable == cable) {
            bl_midi_end_until(source, way, event.sample_time);
            is_connected = true;
            is_passed = way->is_passed;
        }
    }
    if (is_passed) {
        return BL_OK;
    }
    if (is_connected && event.type == BL_EVENT_SYSTEM_EXCLUSIVE &&
        !copy_bytes(&source->midi, &event)) {
        source->lost += 1;
        return BL_ERROR_OUT_OF_MEMORY;
    }
    return carry_all(source, sender->cables, sender->cable_count, cable, &event);
}

void bl_midi_end_stretch(bl_event_source *source, bl_midi_out send, void *context,
                         uint32_t offset) BL_NONBLOCKING {
    bl_midi_wiring *wiring = &source->plan->midi;
    for (uint32_t port = 0; port < wiring->output_count; port += 1) {
        bl_event_list *events = &wiring->outputs[port];
        bl_event_list_check(events);
        for (const bl_event *event = send ? events->first : NULL; event != NULL;
             event = event->next) {
            bl_midi_message message = bl_event_message(event);
            message.port = port;
            message.frame = offset + (uint32_t)(event->sample_time - source->sample_time);
            bool is_sent = send(context, &message);
            source->lost += !is_sent;
            if (!is_sent && bl_event_ends_note(event)) {
                bl_midi_remember_end(&source->midi, NULL, port, event);
            }
        }
        *events = (bl_event_list){0};
    }
    source->midi.event_count = 0;
    source->midi.byte_count = 0;
    source->stretch += 1;
}
