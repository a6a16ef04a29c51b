/* Notes whose ends could not be delivered yet. */
#include <string.h>

#include "event_source.h"

bool bl_midi_hold(bl_held_notes *held, const bl_event *event, bool is_held) BL_NONBLOCKING {
    const uint8_t *bytes = event->midi.bytes;
    uint32_t channel = bytes[0] & 15, place = bytes[1] & 63;
    uint64_t *bits = &held->notes[channel][bytes[1] >> 6 & 1];
    if ((bytes[0] & 0xF0) == BL_CONTROLLER) {
        place = bytes[1] == BL_SUSTAIN_PEDAL ? channel : 16 + channel;
        bits = &held->pedals;
    }
    uint64_t bit = UINT64_C(1) << place;
    bool was_held = (*bits & bit) != 0;
    *bits = is_held ? *bits | bit : *bits & ~bit;
    return was_held;
}

static bool holds_any(const bl_held_notes *held) BL_NONBLOCKING {
    const bl_held_notes none = {0};
    return memcmp(held, &none, sizeof none) != 0;
}

/* The record of a destination's notes, new or old; NULL when there are too many. */
static bl_remembered_notes *remembered(bl_midi_memory *memory, const bl_receiver *destination,
                                       uint32_t destination_cable) BL_NONBLOCKING {
    uint32_t place = 0;
    while (place < memory->remembered_count &&
           (memory->remembered[place].destination != destination ||
            memory->remembered[place].destination_cable != destination_cable)) {
        place += 1;
    }
    if (place == BL_MOST_REMEMBERED) {
        return NULL;
    }
    if (place == memory->remembered_count) {
        memory->remembered_count += 1;
        memory->remembered[place] = (bl_remembered_notes){destination, destination_cable, {0}, 0};
    }
    return &memory->remembered[place];
}

bool bl_midi_remember_end(bl_midi_memory *memory, const bl_receiver *destination,
                          uint32_t destination_cable, const bl_event *event) BL_NONBLOCKING {
    bl_remembered_notes *notes = remembered(memory, destination, destination_cable);
    if (notes != NULL) {
        bl_midi_hold(&notes->held, event, true);
        memory->owes_ends = true;
    }
    return notes != NULL;
}

void bl_midi_remember_ends(bl_midi_memory *memory, const bl_receiver *destination,
                           const bl_event_list *events) BL_NONBLOCKING {
    for (const bl_event *event = events->first; event != NULL; event = event->next) {
        bool is_panic = event->type == BL_EVENT_MIDI &&
                        (event->midi.bytes[0] & 0xF0) == BL_CONTROLLER &&
                        event->midi.bytes[1] == BL_ALL_SOUND_OFF;
        if (bl_event_ends_note(event)) {
            bl_midi_remember_end(memory, destination, event->midi.cable, event);
        } else if (is_panic) {
            bl_remembered_notes *notes = remembered(memory, destination, event->midi.cable);
            if (notes != NULL) {
                notes->is_panic = true;
            }
        }
    }
}

/* Remembers the notes that a cable holds, and a panic. */
static void remember(bl_midi_memory *memory, const bl_lowered_midi_cable *cable,
                     bool is_panic) BL_NONBLOCKING {
    bl_remembered_notes *notes =
        is_panic || holds_any(&cable->held)
            ? remembered(memory, cable->destination, cable->destination_cable)
            : NULL;
    for (uint32_t word = 0; notes != NULL && word < 32; word += 1) {
        notes->held.notes[word / 2][word % 2] |= cable->held.notes[word / 2][word % 2];
    }
    if (notes != NULL) {
        notes->held.pedals |= cable->held.pedals;
        notes->is_panic |= is_panic;
    }
}

/* Whether the plan has this destination; a unit that it does not have may not exist any more. */
static bool has_end(const bl_event_plan *plan, const bl_remembered_notes *notes) BL_NONBLOCKING {
    bool has = notes->destination == NULL && notes->destination_cable < plan->midi.output_count;
    for (uint32_t place = 0; !has && place < plan->receiver_count; place += 1) {
        has = plan->receivers[place] == notes->destination;
    }
    return has;
}

/* Whether this destination, which exists, is rendered. */
static bool is_rendered(const bl_event_source *source, const bl_receiver *destination,
                        uint32_t destination_cable) BL_NONBLOCKING {
    return destination != NULL ? bl_event_source_renders(source, destination)
                               : destination_cable < source->plan->midi.output_count;
}

/* Ends remembered notes; those without room are remembered again. */
static void end_notes(bl_event_source *source, const bl_remembered_notes *notes) BL_NONBLOCKING {
    bl_lowered_midi_cable cable = {.destination = (bl_receiver *)(uintptr_t)notes->destination,
                                   .destination_cable = notes->destination_cable,
                                   .held = notes->held};
    bl_midi_end_cable(source, &cable, (bl_midi_end){source->sample_time, notes->is_panic});
}

void bl_midi_end_remembered(bl_event_source *source) BL_NONBLOCKING {
    bl_midi_memory *memory = &source->midi;
    uint32_t count = memory->remembered_count;
    memory->remembered_count = 0;
    memory->owes_ends = false;
    for (uint32_t place = 0; place < count; place += 1) {
        const bl_remembered_notes notes = memory->remembered[place];
        if (!has_end(source->plan, &notes)) {
            continue;
        }
        if (is_rendered(source, notes.destination, notes.destination_cable)) {
            end_notes(source, &notes);
        } else {
            memory->remembered[memory->remembered_count++] = notes;
        }
    }
}

/* Ends or remembers the notes of a cable that the source's new plan does not have. */
static void leave(bl_event_source *source, bl_lowered_midi_cable *cable) BL_NONBLOCKING {
    const bl_receiver *destination = cable->destination;
    bool is_panic = false; /* of an end that the unit would have reached */
    for (uint32_t index = 0; index < cable->end_count; index += 1) {
        is_panic |= cable->ends[index].is_panic;
    }
    if (source->plan != NULL && is_rendered(source, destination, cable->destination_cable)) {
        bl_midi_end_cable(source, cable, (bl_midi_end){source->sample_time, is_panic});
    } else if (source->plan == NULL ||
               (destination != NULL && destination->plan_number == source->plan_number)) {
        remember(&source->midi, cable, is_panic);
    }
}

/* Keeps the pending events of the old plan's outputs, when the plan changes twice before a
   stretch. */
static void move_outputs(bl_event_source *source, bl_midi_wiring *old) BL_NONBLOCKING {
    for (uint32_t port = 0; port < old->output_count; port += 1) {
        if (source->plan == NULL) {
            bl_midi_remember_ends(&source->midi, NULL, &old->outputs[port]);
        } else if (port < source->plan->midi.output_count) {
            source->plan->midi.outputs[port] = old->outputs[port];
        }
    }
}

/* Continues a former cable of the same description, which stays: the control thread reads it. */
static void continue_cable(bl_lowered_midi_cable *cable,
                           const bl_lowered_midi_cable *former) BL_NONBLOCKING {
    size_t start = offsetof(bl_lowered_midi_cable, held);
    memcpy((char *)cable + start, (const char *)former + start, sizeof *cable - start);
}

void bl_midi_set_wiring(bl_event_source *source, bl_midi_wiring *old) BL_NONBLOCKING {
    bl_midi_wiring *wiring = source->plan != NULL ? &source->plan->midi : NULL;
    uint32_t place = 0, count = wiring != NULL ? wiring->cable_count : 0;
    if (old != NULL) {
        move_outputs(source, old);
    }
    if (wiring != NULL) {
        bl_midi_end_remembered(source);
    }
    for (uint32_t index = 0; index < count; index += 1) {
        bl_lowered_midi_cable *cable = &wiring->cables[index];
        cable->is_passed = cable->source != NULL && cable->source->bypassed;
    }
    for (uint32_t index = 0; old != NULL && index < old->cable_count; index += 1) {
        bl_lowered_midi_cable *former = &old->cables[index];
        while (place < count && bl_midi_compare_cables(&wiring->cables[place], former) < 0) {
            place += 1;
        }
        if (place < count && bl_midi_compare_cables(&wiring->cables[place], former) == 0) {
            continue_cable(&wiring->cables[place], former);
        } else {
            leave(source, former);
        }
    }
}
