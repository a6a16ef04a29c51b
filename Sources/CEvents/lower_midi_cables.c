/* Lowers MIDI cables. */

#include <stdlib.h>

#include "event_source.h"

/* Compares units by address, so that a unit's replacement differs from it. */
static int by_unit(const bl_receiver *one, const bl_receiver *other) BL_NONBLOCKING {
    if (one == NULL || other == NULL || one->identifier == other->identifier) {
        return ((uintptr_t)one > (uintptr_t)other) - ((uintptr_t)one < (uintptr_t)other);
    }
    return one->identifier < other->identifier ? -1 : 1;
}

int bl_midi_compare_cables(const bl_lowered_midi_cable *one,
                           const bl_lowered_midi_cable *other) BL_NONBLOCKING {
    const int64_t differences[] = {
        by_unit(one->source, other->source),
        (int64_t)one->source_cable - other->source_cable,
        by_unit(one->destination, other->destination),
        (int64_t)one->destination_cable - other->destination_cable,
        one->channels - other->channels,
        one->lowest_note - other->lowest_note,
        one->note_count - other->note_count,
    };
    uint32_t place = 0;
    while (place < 6 && differences[place] == 0) {
        place += 1;
    }
    return (differences[place] > 0) - (differences[place] < 0);
}

static int compare(const void *one, const void *other) {
    return bl_midi_compare_cables(one, other);
}

/* Finds the receiver at an end of a cable, NULL for the rack; false for a unit that is not
   rendered. */
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
        qsort(wiring->cables, wiring->cable_count, sizeof *wiring->cables, compare);
    }
}

bl_midi_sender bl_midi_sender_of(const bl_midi_wiring *wiring, const bl_receiver *receiver) {
    bl_midi_sender sender = {0};
    for (uint32_t index = wiring->cable_count; index > 0; index -= 1) {
        if (wiring->cables[index - 1].source == receiver) {
            sender.cables = &wiring->cables[index - 1];
            sender.cable_count += 1;
        }
    }
    return sender;
}
