/* Zones, and the combined values of a channel and its master. */
#include "base/channel_state.h"

/* Bend ranges of a new zone's channels. Semitones */
#define MEMBER_BEND_RANGE 48
#define MASTER_BEND_RANGE 2

static uint8_t master_of(bl_zone zone) BL_NONBLOCKING {
    return zone == BL_LOWER_ZONE ? 0 : BL_MIDI_CHANNELS - 1;
}

/* Whether a channel is a member of a zone, or its master. */
static bool is_in(const bl_channel_states *states, bl_zone zone, uint8_t channel) BL_NONBLOCKING {
    uint8_t members = states->members[zone], master = master_of(zone);
    return members > 0 && (channel < master ? master - channel : channel - master) <= members;
}

uint8_t bl_channel_master(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING {
    return is_in(states, BL_LOWER_ZONE, channel)   ? master_of(BL_LOWER_ZONE)
           : is_in(states, BL_UPPER_ZONE, channel) ? master_of(BL_UPPER_ZONE)
                                                   : channel;
}

/* The channels start with the zone's default bend ranges. A channel that leaves all zones gets the
   instrument's range. */
void bl_channel_states_set_zone(bl_channel_states *states, bl_zone zone,
                                uint8_t members) BL_NONBLOCKING {
    bl_zone other = zone == BL_LOWER_ZONE ? BL_UPPER_ZONE : BL_LOWER_ZONE;
    const bl_channel_states before = *states;
    members = members < BL_MIDI_CHANNELS - 1 ? members : BL_MIDI_CHANNELS - 1;
    states->members[zone] = members;
    if (members + states->members[other] > BL_MIDI_CHANNELS - 2) {
        states->members[other] =
            members < BL_MIDI_CHANNELS - 2 ? (uint8_t)(BL_MIDI_CHANNELS - 2 - members) : 0;
    }
    for (uint8_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        float *range = &states->channels[channel].bend_range;
        bool was_in = is_in(&before, zone, channel) || is_in(&before, other, channel);
        if (is_in(states, zone, channel)) {
            *range = channel == master_of(zone) ? MASTER_BEND_RANGE : MEMBER_BEND_RANGE;
        } else if (was_in && !is_in(states, other, channel)) {
            *range = -1;
        }
    }
}

static const bl_channel_state *master_state(const bl_channel_states *states,
                                            uint8_t channel) BL_NONBLOCKING {
    return &states->channels[bl_channel_master(states, channel)];
}

static float tuning_of(const bl_channel_state *state) BL_NONBLOCKING {
    return state->coarse + state->fine;
}

float bl_channel_tuning(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING {
    const bl_channel_state *own = &states->channels[channel];
    const bl_channel_state *master = master_state(states, channel);
    return tuning_of(own) + (master != own ? tuning_of(master) : 0);
}

static float bend_of(const bl_channel_state *state, float range) BL_NONBLOCKING {
    return state->bend * (state->bend_range >= 0 ? state->bend_range : range);
}

float bl_channel_bend(const bl_channel_states *states, uint8_t channel,
                      float range) BL_NONBLOCKING {
    const bl_channel_state *own = &states->channels[channel];
    const bl_channel_state *master = master_state(states, channel);
    return bl_channel_tuning(states, channel) + bend_of(own, range) +
           (master != own ? bend_of(master, range) : 0);
}

bool bl_channel_sustain(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING {
    return states->channels[channel].sustain || master_state(states, channel)->sustain;
}

bool bl_channel_sostenuto(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING {
    return states->channels[channel].sostenuto || master_state(states, channel)->sostenuto;
}

static float higher(float a, float b) BL_NONBLOCKING { return a > b ? a : b; }

float bl_channel_wheel(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING {
    return higher(states->channels[channel].wheel, master_state(states, channel)->wheel);
}

float bl_channel_pressure(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING {
    return higher(states->channels[channel].pressure, master_state(states, channel)->pressure);
}

float bl_channel_timbre(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING {
    return higher(states->channels[channel].timbre, master_state(states, channel)->timbre);
}

/* Loudness: 40 log10 of a controller, 0 to 1, in decibels, as General MIDI Level 2 (RP-024) defines
   for volume and expression. */
static float loudness_of(const bl_channel_state *state) BL_NONBLOCKING {
    float factor = state->volume * state->expression;
    return factor * factor;
}

float bl_channel_loudness(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING {
    const bl_channel_state *own = &states->channels[channel];
    const bl_channel_state *master = master_state(states, channel);
    return loudness_of(own) * (master != own ? loudness_of(master) : 1.0f);
}
