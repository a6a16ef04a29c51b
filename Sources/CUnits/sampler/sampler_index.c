/* The gates of a preset's regions, by the key or the controller that may start them. */
#include "sampler/sampler_instrument.h"

static void note_switches(bl_sampler_preset *preset, const bl_region *region) {
    if (region->switch_last_low < 0) {
        return;
    }
    for (int32_t key = 0; key < BL_KEYS; key += 1) {
        bool chooses = key >= region->switch_last_low && key <= region->switch_last_high;
        bool in_range = region->switch_low_key > 0 || region->switch_high_key < BL_KEYS - 1;
        bool counts = key >= region->switch_low_key && key <= region->switch_high_key;
        preset->is_switch[key] = preset->is_switch[key] || chooses || (in_range && counts);
    }
    if (preset->switch_default < 0) {
        preset->switch_default = region->switch_default;
    }
}

/* A starter of regions: a key, or a controller. */
typedef struct starter {
    bool is_controller;
    int32_t number;
} starter;

static bool is_started_by(const bl_region *region, starter by) {
    if (by.is_controller != (region->trigger == BL_TRIGGER_CONTROLLER)) {
        return false;
    }
    if (!by.is_controller) {
        return by.number >= region->low_key && by.number <= region->high_key;
    }
    for (uint32_t index = 0; index < region->condition_count; index += 1) {
        const bl_condition *condition = &region->conditions[index];
        if (condition->starts && condition->source == by.number) {
            return true;
        }
    }
    return false;
}

static bl_gate gate_of(const bl_region *region, uint32_t place) {
    return (bl_gate){.place = place,
                     .trigger = (uint8_t)region->trigger,
                     .low_velocity = (uint8_t)region->low_velocity,
                     .high_velocity = (uint8_t)region->high_velocity,
                     .low_channel = (uint8_t)region->low_channel,
                     .high_channel = (uint8_t)region->high_channel,
                     .low_switch = (int8_t)region->switch_last_low,
                     .high_switch = (int8_t)region->switch_last_high};
}

/* Makes the gates of those regions among `count` that the starter may start: `most` at most; the
   number beyond is added to `left_out`. */
static bl_gates gates_of(bl_sampler_instrument *instrument, uint32_t first, uint32_t count,
                         starter by, uint32_t most, uint32_t *left_out) {
    uint32_t all = 0;
    for (uint32_t index = first; index < first + count; index += 1) {
        all += is_started_by(&instrument->regions[index], by);
    }
    uint32_t kept = all < most ? all : most, found = 0;
    if (kept == 0) {
        return (bl_gates){NULL, 0};
    }
    bl_gate *gates = bl_arena_allocate(&instrument->arena, kept, sizeof *gates);
    for (uint32_t index = first; gates != NULL && found < kept; index += 1) {
        if (is_started_by(&instrument->regions[index], by)) {
            gates[found++] = gate_of(&instrument->regions[index], index);
        }
    }
    *left_out += all - kept;
    return (bl_gates){gates, found};
}

/* The most regions whose gates one velocity opens after one switch: from additions where a gate's
   rectangle of velocities and switches starts, and subtractions after its end. */
static int32_t most_open(const bl_gates *gates, uint32_t triggers) {
    enum { SIDE = BL_KEYS + 2 };
    int32_t open[SIDE][SIDE] = {{0}};
    for (uint32_t index = 0; index < gates->count; index += 1) {
        const bl_gate *gate = &gates->gates[index];
        int32_t low = gate->low_velocity, high = gate->high_velocity;
        bool is_empty =
            low > high || (gate->low_switch >= 0 && gate->low_switch > gate->high_switch);
        if ((triggers >> gate->trigger & 1) == 0 || is_empty || low >= BL_KEYS) {
            continue;
        }
        high = high < BL_KEYS ? high : BL_KEYS - 1;
        int32_t from = gate->low_switch < 0 ? 0 : gate->low_switch;
        int32_t to = gate->low_switch < 0 ? BL_KEYS : gate->high_switch;
        open[low][from] += 1;
        open[low][to + 1] -= 1;
        open[high + 1][from] -= 1;
        open[high + 1][to + 1] += 1;
    }
    int32_t most = 0;
    for (uint32_t row = 0; row < SIDE; row += 1) {
        int32_t sum = 0;
        for (uint32_t column = 0; column < SIDE; column += 1) {
            sum += open[row][column];
            open[row][column] = sum + (row > 0 ? open[row - 1][column] : 0);
            most = open[row][column] > most ? open[row][column] : most;
        }
    }
    return most;
}

static void warn_of_many(bl_sampler_instrument *instrument, const bl_gates *gates) {
    const uint32_t releases = 1u << BL_TRIGGER_RELEASE | 1u << BL_TRIGGER_RELEASE_KEY;
    if (gates->count > BL_REGIONS_OF_MESSAGE &&
        (most_open(gates, ~releases) > BL_REGIONS_OF_MESSAGE ||
         most_open(gates, releases) > BL_REGIONS_OF_MESSAGE)) {
        bl_sampler_instrument_warn(instrument, "message",
                                   "more than %d regions are for the same key and velocity",
                                   BL_REGIONS_OF_MESSAGE);
    }
}

bool bl_sampler_instrument_index(bl_sampler_instrument *instrument, bl_sampler_preset *preset,
                                 uint32_t first, uint32_t count) {
    preset->switch_default = -1;
    if (count == 0) {
        return true;
    }
    for (uint32_t index = first; index < first + count; index += 1) {
        note_switches(preset, &instrument->regions[index]);
    }
    uint32_t beyond_controllers = 0, beyond_keys = 0;
    for (int32_t number = 0; number < BL_KEYS; number += 1) {
        preset->by_controller[number] = gates_of(instrument, first, count, (starter){true, number},
                                                 BL_REGIONS_OF_CONTROLLER, &beyond_controllers);
        preset->by_key[number] = gates_of(instrument, first, count, (starter){false, number},
                                          BL_REGIONS_OF_KEY, &beyond_keys);
        warn_of_many(instrument, &preset->by_key[number]);
    }
    if (beyond_controllers > 0) {
        bl_sampler_instrument_warn(instrument, "controllers",
                                   "more than %d regions are started by one controller",
                                   BL_REGIONS_OF_CONTROLLER);
    }
    if (beyond_keys > 0) {
        bl_sampler_instrument_warn(instrument, "keys", "more than %d regions are on one key",
                                   BL_REGIONS_OF_KEY);
    }
    return !instrument->arena.failed;
}
