/* Carries messages along the cables of a cycle. */

#include <string.h>

#include "cycle/kernel_state.h"

/* Additional room for the ends of notes: enough for all notes of one cable. */
#define RELEASE_ROOM (16 * 128 + 2 * 16)
#define SYSTEM_EXCLUSIVE_BYTES (1u << 17)
/* The release velocity of notes that no key ends (MIDI 1.0 Detailed Specification, "Note-Off"). */
#define USUAL_RELEASE 64

void bl_midi_memory_allocate(bl_midi_memory *memory, bl_arena *arena, uint32_t event_capacity) {
    size_t events = (size_t)event_capacity + RELEASE_ROOM;
    memory->event_capacity = event_capacity;
    memory->byte_capacity = SYSTEM_EXCLUSIVE_BYTES;
    memory->events = bl_arena_allocate(arena, events, sizeof(bl_event));
    memory->bytes = bl_arena_allocate(arena, SYSTEM_EXCLUSIVE_BYTES, 1);
}

static bool is_pedal(const bl_event *event) BL_NONBLOCKING {
    const uint8_t *bytes = event->midi.bytes;
    return (bytes[0] & 0xF0) == BL_CONTROLLER &&
           (bytes[1] == BL_SUSTAIN_PEDAL || bytes[1] == BL_SOSTENUTO_PEDAL);
}

/* Whether the event ends a note or releases a pedal that holds notes. */
static bool is_note_end(const bl_event *event) BL_NONBLOCKING {
    return event->type == BL_EVENT_MIDI &&
           (bl_midi_is_note_off(&event->midi) || (is_pedal(event) && event->midi.bytes[2] < 64));
}

/* Whether an event stays before another that comes later to the list: the end of a note goes before
   the notes that begin at its frame, so that it does not end one of them. */
static bool stays_before(const bl_event *event, const bl_event *other) BL_NONBLOCKING {
    if (event->sample_time != other->sample_time) {
        return event->sample_time < other->sample_time;
    }
    bool begins = event->type == BL_EVENT_MIDI && bl_midi_is_note_on(&event->midi);
    return !begins || !is_note_end(other);
}

/* Inserts an event in order of time, after `place`, which came from the same sender (NULL: none).
 */
static void insert(bl_event **first, bl_event **last, bl_event *place,
                   bl_event *event) BL_NONBLOCKING {
    bool is_last = *last == NULL || (*last)->sample_time < event->sample_time ||
                   ((*last)->sample_time == event->sample_time && !is_note_end(event));
    place = is_last ? *last : place;
    bl_event *next = place != NULL ? (bl_event *)(uintptr_t)place->next : *first;
    while (next != NULL && stays_before(next, event)) {
        place = next;
        next = (bl_event *)(uintptr_t)next->next;
    }
    event->next = next;
    *last = next == NULL ? event : *last;
    if (place == NULL) {
        *first = event;
    } else {
        place->next = event;
    }
}

/* Marks the note or pedal of the event as held or not. */
static void hold(bl_held_notes *held, const bl_event *event, bool is_held) BL_NONBLOCKING {
    const uint8_t *bytes = event->midi.bytes;
    uint32_t channel = bytes[0] & 15;
    if ((bytes[0] & 0xF0) == BL_CONTROLLER) {
        uint32_t pedal = 1u << (bytes[1] == BL_SUSTAIN_PEDAL ? channel : 16 + channel);
        held->pedals = is_held ? held->pedals | pedal : held->pedals & ~pedal;
    } else {
        uint64_t bit = UINT64_C(1) << (bytes[1] & 63);
        uint64_t *notes = &held->notes[channel][bytes[1] >> 6 & 1];
        *notes = is_held ? *notes | bit : *notes & ~bit;
    }
}

static void note_held(bl_held_notes *held, const bl_event *event) BL_NONBLOCKING {
    if (is_note_end(event)) {
        hold(held, event, false);
    } else if (event->type == BL_EVENT_MIDI &&
               (is_pedal(event) || bl_midi_is_note_on(&event->midi))) {
        hold(held, event, true);
    }
}

/* The event that the cable sent last in this cycle, or NULL. */
static bl_event *last_sent(const bl_graph *graph,
                           const bl_lowered_midi_cable *cable) BL_NONBLOCKING {
    return cable->stretch == graph->stretch.number ? cable->last_sent : NULL;
}

/* Carries a copy of the event, at its time or, if that has passed, as early as possible. False when
   there is no room. */
static bool carry(bl_graph *graph, bl_lowered_midi_cable *cable, const bl_event *event,
                  uint32_t room) BL_NONBLOCKING {
    bl_kernel *kernel = graph->midi.kernel;
    bl_midi_memory *memory = &kernel->midi;
    if (memory->event_count >= room) {
        kernel->events_lost += 1;
        if (is_note_end(event)) {
            cable->has_lost_end = true;
            graph->midi.has_lost_end = true;
        }
        return false;
    }
    bl_event *before = last_sent(graph, cable);
    int64_t earliest = before != NULL ? before->sample_time : kernel->sample_time;
    int64_t latest = kernel->sample_time + graph->midi.frames - 1;
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
    bl_node *node = cable->destination;
    bl_midi_output *output = node == NULL ? &graph->midi.outputs[cable->destination_cable] : NULL;
    insert(node != NULL ? &node->first_event : &output->first,
           node != NULL ? &node->last_event : &output->last, before, copy);
    if (node != NULL) {
        bl_node_take_care(node);
    }
    note_held(&cable->held, copy);
    cable->last_sent = copy;
    cable->stretch = graph->stretch.number;
    return true;
}

void bl_midi_release_cable(bl_graph *graph, bl_lowered_midi_cable *cable,
                           int64_t time) BL_NONBLOCKING {
    uint32_t room = graph->midi.kernel->midi.event_capacity + RELEASE_ROOM;
    bl_event event = {.sample_time = time, .type = BL_EVENT_MIDI};
    for (uint32_t channel = 0; channel < 16; channel += 1) {
        for (uint32_t half = 0; half < 2; half += 1) {
            uint64_t left = cable->held.notes[channel][half];
            while (left != 0) {
                uint32_t note = 64 * half + (uint32_t)__builtin_ctzll(left);
                left &= left - 1;
                event.midi = (bl_midi_event){
                    0, 3, {(uint8_t)(BL_NOTE_OFF | channel), (uint8_t)note, USUAL_RELEASE}};
                carry(graph, cable, &event, room);
            }
        }
        const uint8_t pedals[] = {BL_SUSTAIN_PEDAL, BL_SOSTENUTO_PEDAL};
        for (uint32_t pedal = 0; pedal < 2; pedal += 1) {
            if ((cable->held.pedals >> (16 * pedal + channel) & 1) != 0) {
                event.midi =
                    (bl_midi_event){0, 3, {(uint8_t)(BL_CONTROLLER | channel), pedals[pedal], 0}};
                carry(graph, cable, &event, room);
            }
        }
    }
}

void bl_midi_release(bl_graph *graph, bl_lowered_node *node) BL_NONBLOCKING {
    for (uint32_t index = 0; index < node->midi_cable_count; index += 1) {
        bl_midi_release_cable(graph, &node->midi_cables[index], graph->midi.kernel->sample_time);
    }
}

void bl_midi_release_received(bl_graph *graph, const bl_node *node, int64_t time) BL_NONBLOCKING {
    for (uint32_t index = 0; index < graph->midi.cable_count; index += 1) {
        if (graph->midi.cables[index].destination == node) {
            bl_midi_release_cable(graph, &graph->midi.cables[index], time);
        }
    }
}

void bl_midi_release_input(bl_graph *graph, uint32_t port) BL_NONBLOCKING {
    for (uint32_t index = 0; index < graph->midi.input_cable_count; index += 1) {
        if (graph->midi.cables[index].source_cable == port) {
            bl_midi_release_cable(graph, &graph->midi.cables[index],
                                  graph->midi.kernel->sample_time);
        }
    }
}

void bl_midi_panic(bl_graph *graph, int64_t time) BL_NONBLOCKING {
    const uint8_t controllers[] = {BL_SUSTAIN_PEDAL, BL_ALL_NOTES_OFF, BL_ALL_SOUND_OFF};
    uint32_t room = graph->midi.kernel->midi.event_capacity + RELEASE_ROOM;
    bl_event event = {.sample_time = time, .type = BL_EVENT_MIDI};
    for (uint32_t index = 0; index < graph->midi.cable_count; index += 1) {
        bl_midi_release_cable(graph, &graph->midi.cables[index], time);
        for (uint32_t message = 0; message < 3 * 16; message += 1) {
            event.midi = (bl_midi_event){
                0, 3, {(uint8_t)(BL_CONTROLLER | message / 3), controllers[message % 3], 0}};
            carry(graph, &graph->midi.cables[index], &event, room);
        }
    }
}

/* Sends the ends of an output's notes again that the host had no room for in the last cycle. */
static void end_unended(bl_graph *graph, uint32_t port) BL_NONBLOCKING {
    bl_midi_output *output = &graph->midi.outputs[port];
    if (output->has_unended) {
        bl_lowered_midi_cable cable = {.destination_cable = port, .held = output->unended};
        output->unended = (bl_held_notes){0};
        output->has_unended = false;
        bl_midi_release_cable(graph, &cable, graph->midi.kernel->sample_time);
    }
}

void bl_midi_start_cycle(bl_graph *graph, uint32_t frames) BL_NONBLOCKING {
    graph->midi.frames = frames;
    if (!graph->midi.has_lost_end) {
        return;
    }
    graph->midi.has_lost_end = false;
    for (uint32_t port = 0; port < graph->midi.output_count; port += 1) {
        end_unended(graph, port);
    }
    for (uint32_t index = 0; index < graph->midi.cable_count; index += 1) {
        bl_lowered_midi_cable *cable = &graph->midi.cables[index];
        if (cable->has_lost_end) {
            cable->has_lost_end = false;
            bl_midi_release_cable(graph, cable, graph->midi.kernel->sample_time);
        }
    }
}

/* Whether the cable's channels and keys admit the event. */
static bool admits(const bl_lowered_midi_cable *cable, const bl_event *event) BL_NONBLOCKING {
    const uint8_t *bytes = event->midi.bytes;
    if (event->type != BL_EVENT_MIDI || bytes[0] >= BL_SYSTEM_EXCLUSIVE) {
        return true;
    }
    bool has_key = bytes[0] < BL_CONTROLLER && cable->note_count > 0;
    return (cable->channels == 0 || (cable->channels >> (bytes[0] & 15) & 1) != 0) &&
           (!has_key || (uint8_t)(bytes[1] - cable->lowest_note) < cable->note_count);
}

void bl_midi_send_input(bl_graph *graph, uint32_t port, const bl_event *event) BL_NONBLOCKING {
    for (uint32_t index = 0; index < graph->midi.input_cable_count; index += 1) {
        bl_lowered_midi_cable *cable = &graph->midi.cables[index];
        if (cable->source_cable == port && admits(cable, event)) {
            carry(graph, cable, event, graph->midi.kernel->midi.event_capacity);
        }
    }
}

void bl_midi_lose_input(bl_graph *graph, uint32_t port, const bl_event *event) BL_NONBLOCKING {
    for (uint32_t index = 0; is_note_end(event) && index < graph->midi.input_cable_count;
         index += 1) {
        if (graph->midi.cables[index].source_cable == port) {
            graph->midi.cables[index].has_lost_end = true;
            graph->midi.has_lost_end = true;
        }
    }
}

/* Sends what a bypassed unit receives on one cable on its output of the same number, or its last.
 */
static void pass(bl_graph *graph, bl_lowered_node *node) BL_NONBLOCKING {
    uint32_t count = node->node->midi_output_count;
    for (const bl_event *event = node->node->first_event; event != NULL; event = event->next) {
        bool is_short = event->type == BL_EVENT_MIDI;
        if (!is_short && event->type != BL_EVENT_SYSTEM_EXCLUSIVE) {
            continue;
        }
        uint32_t number = is_short ? event->midi.cable : event->system_exclusive.cable;
        number = number < count ? number : count - 1;
        for (uint32_t index = 0; index < node->midi_cable_count; index += 1) {
            if (node->midi_cables[index].source_cable == number &&
                admits(&node->midi_cables[index], event)) {
                carry(graph, &node->midi_cables[index], event,
                      graph->midi.kernel->midi.event_capacity);
            }
        }
    }
}

void bl_midi_prepare_node(bl_graph *graph, bl_lowered_node *node) BL_NONBLOCKING {
    if (node->node->passes_midi != node->node->bypassed) {
        node->node->passes_midi = node->node->bypassed;
        bl_midi_release(graph, node);
    }
    if (node->node->passes_midi) {
        pass(graph, node);
    }
}

/* Copies the message of a system exclusive event into the cycle's memory; false without room. */
static bool copy_bytes(bl_midi_memory *memory, bl_event *event) BL_NONBLOCKING {
    uint32_t length = event->system_exclusive.length;
    if (length > memory->byte_capacity - memory->byte_count) {
        return false;
    }
    uint8_t *bytes = memory->bytes + memory->byte_count;
    memcpy(bytes, event->system_exclusive.data, length);
    memory->byte_count += length;
    event->system_exclusive.data = bytes;
    return true;
}

bl_status bl_midi_send(bl_graph *graph, bl_lowered_node *node, int64_t sample_time, uint8_t cable,
                       uint32_t length, const uint8_t *bytes) BL_NONBLOCKING {
    bl_midi_message message = {.length = length, .data = bytes};
    bl_event event = {.sample_time = sample_time};
    bool is_copied = false, is_lost = false;
    if (node->node->passes_midi || !bl_midi_read_message(&message, &event)) {
        return node->node->passes_midi ? BL_OK : BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    bl_status status = BL_ERROR_NO_CONNECTION;
    for (uint32_t index = 0; index < node->midi_cable_count; index += 1) {
        if (node->midi_cables[index].source_cable != cable) {
            continue;
        }
        if (!admits(&node->midi_cables[index], &event)) {
            status = status == BL_ERROR_NO_CONNECTION ? BL_OK : status;
            continue;
        }
        if (event.type == BL_EVENT_SYSTEM_EXCLUSIVE && !is_copied) {
            is_copied = true;
            is_lost = !copy_bytes(&graph->midi.kernel->midi, &event);
            graph->midi.kernel->events_lost += is_lost;
        }
        bool is_carried = !is_lost && carry(graph, &node->midi_cables[index], &event,
                                            graph->midi.kernel->midi.event_capacity);
        status = is_carried && status != BL_ERROR_OUT_OF_MEMORY ? BL_OK : BL_ERROR_OUT_OF_MEMORY;
    }
    return status;
}

/* Sends one event to the host; false when it has no room. */
static bool send_out(const bl_cycle *cycle, uint32_t port, uint32_t frame,
                     const bl_event *event) BL_NONBLOCKING {
    bool is_short = event->type == BL_EVENT_MIDI;
    bl_midi_message message = {port, frame,
                               is_short ? event->midi.length : event->system_exclusive.length,
                               is_short ? event->midi.bytes : event->system_exclusive.data};
    return cycle->send_midi(cycle->midi_context, &message);
}

void bl_midi_end_cycle(bl_graph *graph, const bl_cycle *cycle, uint32_t offset) BL_NONBLOCKING {
    bl_kernel *kernel = graph->midi.kernel;
    for (uint32_t port = 0; port < graph->midi.output_count; port += 1) {
        bl_midi_output *output = &graph->midi.outputs[port];
        for (const bl_event *event = cycle->send_midi ? output->first : NULL; event != NULL;
             event = event->next) {
            uint32_t frame = offset + (uint32_t)(event->sample_time - kernel->sample_time);
            bool is_sent = send_out(cycle, port, frame, event);
            kernel->events_lost += !is_sent;
            if (!is_sent && is_note_end(event)) {
                hold(&output->unended, event, true);
                output->has_unended = true;
                graph->midi.has_lost_end = true;
            }
        }
        output->first = NULL;
        output->last = NULL;
    }
    kernel->midi.event_count = 0;
    kernel->midi.byte_count = 0;
}
