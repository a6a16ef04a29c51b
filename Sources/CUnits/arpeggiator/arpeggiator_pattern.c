/* The notes of an arpeggiator's step. */
#include "arpeggiator/arpeggiator.h"

/* Sorts the keys by pitch, those of one pitch as they were played. */
static void sort(const bl_arpeggiator_unit *unit,
                 bl_held_key sorted[BL_MOST_HELD_KEYS]) BL_NONBLOCKING {
    for (uint32_t index = 0; index < unit->keys.count; index += 1) {
        uint32_t place = index;
        while (place > 0 && sorted[place - 1].note > unit->keys.keys[index].note) {
            sorted[place] = sorted[place - 1];
            place -= 1;
        }
        sorted[place] = unit->keys.keys[index];
    }
}

/* Xorshift: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003). */
static uint32_t next_random(bl_arpeggiator_unit *unit) BL_NONBLOCKING {
    unit->random ^= unit->random << 13;
    unit->random ^= unit->random >> 17;
    unit->random ^= unit->random << 5;
    return unit->random;
}

/* The index of a step's note among `count` notes. */
static uint32_t place_of(bl_arpeggiator_unit *unit, uint32_t mode, uint64_t step,
                         uint32_t count) BL_NONBLOCKING {
    uint32_t place = (uint32_t)(step % count);
    if (mode == BL_ARPEGGIATOR_DOWN) {
        return count - 1 - place;
    }
    if (mode == BL_ARPEGGIATOR_RANDOM) {
        return next_random(unit) % count;
    }
    if (mode == BL_ARPEGGIATOR_UP_DOWN && count > 1) {
        /* The turning points are played once. */
        uint32_t turn = 2 * count - 2;
        place = (uint32_t)(step % turn);
        return place < count ? place : turn - place;
    }
    return place;
}

/* Raises a key by octaves, as far as MIDI has notes. */
static bl_held_key raised(bl_held_key key, uint32_t octaves) BL_NONBLOCKING {
    uint32_t note = key.note + 12 * octaves;
    while (note > 127) {
        note -= 12;
    }
    key.note = (uint8_t)note;
    return key;
}

static bool is_among(const bl_held_key *keys, uint32_t count, bl_held_key key) BL_NONBLOCKING {
    for (uint32_t index = 0; index < count; index += 1) {
        if (keys[index].channel == key.channel && keys[index].note == key.note) {
            return true;
        }
    }
    return false;
}

/* Fills in all keys, raised alike; two that coincide on the highest octave are one note. */
static uint32_t chord(const bl_arpeggiator_unit *unit, uint32_t octaves,
                      bl_held_key *chosen) BL_NONBLOCKING {
    uint32_t count = 0;
    for (uint32_t index = 0; index < unit->keys.count; index += 1) {
        bl_held_key key = raised(unit->keys.keys[index], octaves);
        if (!is_among(chosen, count, key)) {
            chosen[count++] = key;
        }
    }
    return count;
}

uint32_t bl_arpeggiator_pattern(bl_arpeggiator_unit *unit,
                                bl_held_key chosen[BL_MOST_HELD_KEYS]) BL_NONBLOCKING {
    uint32_t mode = (uint32_t)unit->base.parameters[BL_ARPEGGIATOR_MODE].target;
    uint32_t octaves = (uint32_t)unit->base.parameters[BL_ARPEGGIATOR_OCTAVES].target;
    uint32_t count = unit->keys.count;
    if (count == 0) {
        return 0;
    }
    uint64_t step = unit->step++;
    if (mode == BL_ARPEGGIATOR_CHORD) {
        return chord(unit, (uint32_t)(step % octaves), chosen);
    }
    bl_held_key sorted[BL_MOST_HELD_KEYS];
    sort(unit, sorted);
    uint32_t place = place_of(unit, mode, step, count * octaves);
    const bl_held_key *keys = mode == BL_ARPEGGIATOR_AS_PLAYED ? unit->keys.keys : sorted;
    chosen[0] = raised(keys[place % count], place / count);
    return 1;
}
