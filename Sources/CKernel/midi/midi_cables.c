/* The way of a message along the cables of a cycle. */
#include "midi/midi_cables.h"

#include <stdlib.h>
#include <string.h>

#include "backline/memory.h"
#include "cycle/kernel_state.h"

/* The ends of notes find room where other messages do not: those of one cable at least. */
#define RELEASE_ROOM (16 * 128 + 16)
#define SYSTEM_EXCLUSIVE_BYTES (1u << 17)
enum { SUSTAIN_PEDAL = 64, ALL_SOUND_OFF = 120, ALL_NOTES_OFF = 123 };
/* A release velocity where no key tells one (MIDI 1.0 Detailed Specification, "Note-Off"). */
#define USUAL_RELEASE 64

bool bl_midi_memory_allocate(bl_midi_memory *memory, uint32_t event_capacity) {
    memory->event_capacity = event_capacity;
    memory->byte_capacity = SYSTEM_EXCLUSIVE_BYTES;
    size_t events = (size_t)event_capacity + RELEASE_ROOM;
    memory->events = bl_allocate_touched(events, sizeof(bl_event));
    memory->bytes = bl_allocate_touched(SYSTEM_EXCLUSIVE_BYTES, 1);
    return memory->events != NULL && memory->bytes != NULL;
}

void bl_midi_memory_free(bl_midi_memory *memory) {
    free(memory->events);
    free(memory->bytes);
}

/* Puts an event behind all that are not later, from `place` on (NULL: from the first). */
static void insert(bl_event **first, bl_event **last, bl_event *place,
                   bl_event *event) BL_NONBLOCKING {
    if (*last == NULL || (*last)->sample_time <= event->sample_time) {
        place = *last;
        *last = event;
    } else {
        const bl_event *next = place != NULL ? place->next : *first;
        while (next->sample_time <= event->sample_time) {
            place = (bl_event *)(uintptr_t)next;
            next = next->next;
        }
    }
    bl_event *behind = place == NULL ? *first : (bl_event *)(uintptr_t)place->next;
    event->next = behind;
    if (place == NULL) {
        *first = event;
    } else {
        place->next = event;
    }
}

static bool is_note_end(const bl_event *event) BL_NONBLOCKING {
    const uint8_t *bytes = event->midi.bytes;
    return event->type == BL_EVENT_MIDI &&
           ((bytes[0] & 0xf0) == 0x80 || ((bytes[0] & 0xf0) == 0x90 && bytes[2] == 0) ||
            ((bytes[0] & 0xf0) == 0xb0 && bytes[1] == SUSTAIN_PEDAL && bytes[2] < 64));
}

/* Sets or clears what the event begins or ends. */
static void hold(bl_held_notes *held, const bl_event *event, bool is_held) BL_NONBLOCKING {
    const uint8_t *bytes = event->midi.bytes;
    uint32_t channel = bytes[0] & 15;
    if ((bytes[0] & 0xf0) == 0xb0) {
        uint32_t pedal = 1u << channel;
        held->pedals = (uint16_t)(is_held ? held->pedals | pedal : held->pedals & ~pedal);
    } else {
        uint64_t bit = UINT64_C(1) << (bytes[1] & 63);
        uint64_t *notes = &held->notes[channel][bytes[1] >> 6 & 1];
        *notes = is_held ? *notes | bit : *notes & ~bit;
    }
}

static void note_held(bl_held_notes *held, const bl_event *event) BL_NONBLOCKING {
    const uint8_t *bytes = event->midi.bytes;
    bool is_pedal = (bytes[0] & 0xf0) == 0xb0 && bytes[1] == SUSTAIN_PEDAL;
    if (is_note_end(event)) {
        hold(held, event, false);
    } else if (event->type == BL_EVENT_MIDI && (is_pedal || (bytes[0] & 0xf0) == 0x90)) {
        hold(held, event, true);
    }
}

/* Where a cable's next event may stand: behind the one that it sent last. */
static bl_event *last_sent(const bl_graph *graph,
                           const bl_lowered_midi_cable *cable) BL_NONBLOCKING {
    return cable->cycle == graph->cycle ? cable->last_sent : NULL;
}

/* Carries a copy of the event, at its time or, if that is over, as soon as can be. False when there
   is no room. */
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
    note_held(&cable->held, copy);
    cable->last_sent = copy;
    cable->cycle = graph->cycle;
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
                    0, 3, {(uint8_t)(0x80 | channel), (uint8_t)note, USUAL_RELEASE}};
                carry(graph, cable, &event, room);
            }
        }
        if ((cable->held.pedals >> channel & 1) != 0) {
            event.midi = (bl_midi_event){0, 3, {(uint8_t)(0xb0 | channel), SUSTAIN_PEDAL, 0}};
            carry(graph, cable, &event, room);
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
    const uint8_t controllers[] = {SUSTAIN_PEDAL, ALL_NOTES_OFF, ALL_SOUND_OFF};
    uint32_t room = graph->midi.kernel->midi.event_capacity + RELEASE_ROOM;
    bl_event event = {.sample_time = time, .type = BL_EVENT_MIDI};
    for (uint32_t index = 0; index < graph->midi.cable_count; index += 1) {
        bl_midi_release_cable(graph, &graph->midi.cables[index], time);
        for (uint32_t message = 0; message < 3 * 16; message += 1) {
            event.midi =
                (bl_midi_event){0, 3, {(uint8_t)(0xb0 | message / 3), controllers[message % 3], 0}};
            carry(graph, &graph->midi.cables[index], &event, room);
        }
    }
}

/* Sends once more what ends the notes of an output that could not be ended in the cycle before. */
static void end_unended(bl_graph *graph, uint32_t port) BL_NONBLOCKING {
    bl_midi_output *output = &graph->midi.outputs[port];
    if (output->has_unended) {
        bl_lowered_midi_cable cable = {.destination_cable = port, .held = output->unended};
        output->unended = (bl_held_notes){0};
        output->has_unended = false;
        bl_midi_release_cable(graph, &cable, graph->midi.kernel->sample_time);
    }
}

void bl_midi_begin_cycle(bl_graph *graph, uint32_t frames) BL_NONBLOCKING {
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

/* Whether the cable's channels and keys let the event through. */
static bool admits(const bl_lowered_midi_cable *cable, const bl_event *event) BL_NONBLOCKING {
    const uint8_t *bytes = event->midi.bytes;
    if (event->type != BL_EVENT_MIDI || bytes[0] >= 0xf0) {
        return true;
    }
    bool has_key = bytes[0] < 0xb0 && cable->note_count > 0;
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

/* What a unit takes on one cable it sends, while it is bypassed, on the cable of the same number,
   or on its last. */
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

void bl_midi_begin_turn(bl_graph *graph, bl_lowered_node *node) BL_NONBLOCKING {
    if (node->node->passes_midi != node->node->bypassed) {
        node->node->passes_midi = node->node->bypassed;
        bl_midi_release(graph, node);
    }
    if (node->node->passes_midi) {
        pass(graph, node);
    }
}

static bool keep_bytes(bl_midi_memory *memory, bl_event *event) BL_NONBLOCKING {
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
    bool is_kept = false, is_lost = false;
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
        if (event.type == BL_EVENT_SYSTEM_EXCLUSIVE && !is_kept) {
            is_kept = true;
            is_lost = !keep_bytes(&graph->midi.kernel->midi, &event);
            graph->midi.kernel->events_lost += is_lost;
        }
        bool is_carried = !is_lost && carry(graph, &node->midi_cables[index], &event,
                                            graph->midi.kernel->midi.event_capacity);
        status = is_carried && status != BL_ERROR_OUT_OF_MEMORY ? BL_OK : BL_ERROR_OUT_OF_MEMORY;
    }
    return status;
}

/* Hands one event to whoever plays the cycle; false when there is no room. */
static bool hand_over(const bl_cycle *cycle, uint32_t port, uint32_t frame,
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
            bool is_handed_over = hand_over(cycle, port, frame, event);
            kernel->events_lost += !is_handed_over;
            if (!is_handed_over && is_note_end(event)) {
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
