/* Lowers MIDI cables. */

#include <stdlib.h>
#include <string.h>

#include "event_source.h"

/* Of a unit that comes in place of another the address differs, last. */
int bl_midi_compare_cables(const bl_lowered_midi_cable *one,
                           const bl_lowered_midi_cable *other) BL_NONBLOCKING {
    uint64_t keys[2][9];
    for (int side = 0; side < 2; side += 1) {
        const bl_lowered_midi_cable *cable = side == 0 ? one : other;
        const bl_receiver *from = cable->source, *to = cable->destination;
        const uint64_t own[9] = {from != NULL ? (uint64_t)from->identifier + 1 : 0,
                                 cable->source_cable,
                                 to != NULL ? (uint64_t)to->identifier + 1 : 0,
                                 cable->destination_cable,
                                 cable->channels,
                                 cable->lowest_note,
                                 cable->note_count,
                                 (uintptr_t)from,
                                 (uintptr_t)to};
        memcpy(keys[side], own, sizeof own);
    }
    for (uint32_t place = 0; place < 9; place += 1) {
        if (keys[0][place] != keys[1][place]) {
            return keys[0][place] < keys[1][place] ? -1 : 1;
        }
    }
    return 0;
}

static int compare(const void *one, const void *other) {
    return bl_midi_compare_cables(one, other);
}

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
        qsort(wiring->cables, wiring->cable_count, sizeof *wiring->cables, compare);
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
