/* Which notes a chord has. */
#include <math.h>

#include "chord/chord.h"

/* Semitones above the key; a 0 ends them. */
static const uint8_t intervals[BL_CHORD_OWN][BL_CHORD_NOTES - 1] = {
    {12},       {7},       {4, 7},         {3, 7},         {3, 6},     {4, 8},
    {2, 7},     {5, 7},    {4, 7, 9},      {3, 7, 9},      {4, 7, 10}, {4, 7, 11},
    {3, 7, 10}, {3, 6, 9}, {4, 7, 10, 14}, {3, 7, 10, 14},
};

/* Puts a note among those that are there, unless it is one of them. */
static uint32_t insert(int32_t *notes, uint32_t count, int32_t note) BL_NONBLOCKING {
    uint32_t place = count;
    while (place > 0 && notes[place - 1] > note) {
        place -= 1;
    }
    if (place > 0 && notes[place - 1] == note) {
        return count;
    }
    for (uint32_t index = count; index > place; index -= 1) {
        notes[index] = notes[index - 1];
    }
    notes[place] = note;
    return count + 1;
}

uint32_t bl_chord_notes(const bl_ramp *parameters, uint8_t key,
                        uint8_t chord[BL_CHORD_NOTES]) BL_NONBLOCKING {
    uint32_t type = (uint32_t)parameters[TYPE].target;
    int32_t root = key, notes[BL_CHORD_NOTES];
    uint32_t count = insert(notes, 0, root);
    for (uint32_t index = 0; index < BL_CHORD_NOTES - 1; index += 1) {
        int32_t interval = type < BL_CHORD_OWN
                               ? intervals[type][index]
                               : (int32_t)lrintf(parameters[OWN_NOTES + index].target);
        count = insert(notes, count, root + interval);
    }
    uint32_t raised = (uint32_t)lrintf(parameters[INVERSION].target);
    int32_t inverted[BL_CHORD_NOTES];
    uint32_t inverted_count = 0;
    for (uint32_t index = 0; index < count; index += 1) {
        int32_t note = notes[index] + (index < raised && index + 1 < count ? 12 : 0);
        inverted_count = insert(inverted, inverted_count, note);
    }
    uint32_t sent = 0;
    for (uint32_t index = 0; index < inverted_count; index += 1) {
        if (bl_is_note(inverted[index])) {
            chord[sent] = (uint8_t)inverted[index];
            sent += 1;
        }
    }
    return sent;
}
