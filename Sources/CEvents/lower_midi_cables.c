/* Lowers MIDI cables, and keeps their held notes from one plan to the next. */

#include <stdlib.h>

#include "event_source.h"

/* An order of cables that is the same in two plans: by their ends, the rack's first, then by what
   they admit. */
static int compare(const bl_lowered_midi_cable *one,
                   const bl_lowered_midi_cable *other) BL_NONBLOCKING {
    uintptr_t ones[] = {(uintptr_t)one->source, one->source_cable, (uintptr_t)one->destination,
                        one->destination_cable, one->channels,     one->lowest_note,
                        one->note_count};
    uintptr_t others[] = {
        (uintptr_t)other->source, other->source_cable, (uintptr_t)other->destination,
        other->destination_cable, other->channels,     other->lowest_note,
        other->note_count};
    for (uint32_t place = 0; place < 7; place += 1) {
        if (ones[place] != others[place]) {
            return ones[place] < others[place] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_opaque(const void *one, const void *other) { return compare(one, other); }

/* The receiver of an end of a cable, NULL for the rack; false for a unit that is not rendered. */
static bool find_end(const bl_event_plan_description *description, bl_endpoint end,
                     bl_receiver **receiver) {
    *receiver = end.node == BL_RACK ? NULL : description->receivers[end.node];
    return end.node == BL_RACK || description->are_rendered[end.node];
}

void bl_midi_cables_lower(bl_midi_wiring *wiring, bl_arena *arena,
                          const bl_event_plan_description *description) {
    uint32_t count = description->midi_cable_count;
    wiring->output_count = description->midi_output_count;
    wiring->outputs = bl_arena_allocate(arena, wiring->output_count + 1, sizeof *wiring->outputs);
    wiring->cables = bl_arena_allocate(arena, count + 1, sizeof *wiring->cables);
    for (uint32_t index = 0; !arena->failed && index < count; index += 1) {
        const bl_midi_cable *given = &description->midi_cables[index];
        bl_lowered_midi_cable cable = {.source_cable = given->source.bus,
                                       .destination_cable = given->destination.bus,
                                       .channels = given->channels,
                                       .lowest_note = given->lowest_note,
                                       .note_count = given->note_count};
        if (find_end(description, given->source, &cable.source) &&
            find_end(description, given->destination, &cable.destination)) {
            wiring->cables[wiring->cable_count++] = cable;
            wiring->input_cable_count += cable.source == NULL;
        }
    }
    if (!arena->failed) {
        qsort(wiring->cables, wiring->cable_count, sizeof *wiring->cables, compare_opaque);
    }
}

bl_midi_sender bl_midi_sender_of(const bl_midi_wiring *wiring, bl_receiver *receiver) {
    bl_midi_sender sender = {.receiver = receiver};
    for (uint32_t index = wiring->cable_count; index > 0; index -= 1) {
        if (wiring->cables[index - 1].source == receiver) {
            sender.cables = &wiring->cables[index - 1];
            sender.cable_count += 1;
        }
    }
    return sender;
}

static bool is_rendered(const bl_event_source *source, const bl_receiver *receiver) BL_NONBLOCKING {
    return receiver->plan_number == source->plan_number && receiver->is_rendered;
}

/* Keeps the events of outputs that are still there, when the plan changes twice before a stretch.
 */
static void move_outputs(bl_midi_wiring *wiring, const bl_midi_wiring *old) BL_NONBLOCKING {
    for (uint32_t port = 0; port < old->output_count && port < wiring->output_count; port += 1) {
        wiring->outputs[port] = old->outputs[port];
        wiring->has_lost_end |= old->outputs[port].has_pending_note_offs;
    }
}

/* Whether this end of a cable is still there. */
static bool has_end(const bl_event_source *source, const bl_receiver *destination,
                    uint32_t destination_cable) BL_NONBLOCKING {
    return destination != NULL ? is_rendered(source, destination)
                               : destination_cable < source->plan->midi.output_count;
}

static bool holds_any(const bl_held_notes *held) BL_NONBLOCKING {
    uint64_t any = held->pedals;
    for (uint32_t channel = 0; channel < 16; channel += 1) {
        any |= held->notes[channel][0] | held->notes[channel][1];
    }
    return any != 0;
}

static void remember(bl_midi_memory *memory, const bl_receiver *destination,
                     uint32_t destination_cable, const bl_held_notes *held) BL_NONBLOCKING {
    if (memory->remembered_count < BL_MOST_REMEMBERED && holds_any(held)) {
        memory->remembered[memory->remembered_count++] =
            (bl_remembered_notes){destination, destination_cable, *held};
    }
}

/* Remembers all notes that are held when the source loses its plan. */
static void remember_notes(bl_midi_memory *memory, const bl_midi_wiring *old) BL_NONBLOCKING {
    for (uint32_t index = 0; index < old->cable_count; index += 1) {
        const bl_lowered_midi_cable *cable = &old->cables[index];
        remember(memory, cable->destination, cable->destination_cable, &cable->held);
    }
    for (uint32_t port = 0; port < old->output_count; port += 1) {
        remember(memory, NULL, port, &old->outputs[port].pending_note_offs);
    }
}

/* The rendered receiver of that address, or NULL. */
static bl_receiver *find_receiver(const bl_event_plan *plan,
                                  const bl_receiver *address) BL_NONBLOCKING {
    for (uint32_t place = 0; place < plan->receiver_count; place += 1) {
        if (plan->receivers[place] == address && address->is_rendered) {
            return plan->receivers[place];
        }
    }
    return NULL;
}

/* Ends the notes that were held when the source lost its plan. A unit may not exist any more if it
   is not in this plan, so its address is only compared. */
static void end_remembered_notes(bl_event_source *source) BL_NONBLOCKING {
    const bl_event_plan *plan = source->plan;
    for (uint32_t index = 0; index < source->midi.remembered_count; index += 1) {
        const bl_remembered_notes *notes = &source->midi.remembered[index];
        bl_lowered_midi_cable cable = {.destination_cable = notes->destination_cable,
                                       .held = notes->held};
        cable.destination = find_receiver(plan, notes->destination);
        bool is_output =
            notes->destination == NULL && notes->destination_cable < plan->midi.output_count;
        if (cable.destination != NULL || is_output) {
            bl_midi_release_cable(source, &cable, source->sample_time);
        }
    }
    source->midi.remembered_count = 0;
}

void bl_midi_take_over(bl_event_source *source, bl_midi_wiring *old) BL_NONBLOCKING {
    bl_midi_wiring *wiring = source->plan != NULL ? &source->plan->midi : NULL;
    if (wiring != NULL && old != NULL) {
        move_outputs(wiring, old);
    }
    if (wiring == NULL) {
        if (old != NULL) {
            remember_notes(&source->midi, old);
        }
        return;
    }
    end_remembered_notes(source);
    uint32_t place = 0;
    for (uint32_t index = 0; old != NULL && index < old->cable_count; index += 1) {
        bl_lowered_midi_cable *former = &old->cables[index];
        while (place < wiring->cable_count && compare(&wiring->cables[place], former) < 0) {
            place += 1;
        }
        if (place < wiring->cable_count && compare(&wiring->cables[place], former) == 0) {
            wiring->cables[place].held = former->held;
            wiring->cables[place].has_lost_end = former->has_lost_end;
            wiring->has_lost_end |= former->has_lost_end;
        } else if (has_end(source, former->destination, former->destination_cable)) {
            bl_midi_release_cable(source, former, source->sample_time);
        }
    }
}
