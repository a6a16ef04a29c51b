/* The messages of a channel. */
#include "base/channel_state.h"

enum {
    REGISTERED_BEND_RANGE = 0,
    REGISTERED_FINE_TUNING = 1,
    REGISTERED_COARSE_TUNING = 2,
    REGISTERED_ZONE = 6,
    NO_PARAMETER = 127,
    NOT_ENTERED = 128
};

void bl_channel_states_reset(bl_channel_states *states) BL_NONBLOCKING {
    *states = (bl_channel_states){0};
    for (uint32_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        states->channels[channel] = (bl_channel_state){.bend_range = -1,
                                                       .volume = 1,
                                                       .expression = 1,
                                                       .parameter = {NO_PARAMETER, NO_PARAMETER},
                                                       .entered = NOT_ENTERED};
    }
}

/* A bend range set on one member of a zone applies to all of them. */
static void set_bend_range(bl_channel_states *states, uint8_t channel,
                           float semitones) BL_NONBLOCKING {
    uint8_t master = bl_channel_master(states, channel);
    for (uint8_t other = 0; other < BL_MIDI_CHANNELS; other += 1) {
        bool is_fellow = other != master && bl_channel_master(states, other) == master;
        if (other == channel || (master != channel && is_fellow)) {
            states->channels[other].bend_range = semitones;
        }
    }
}

/* Returns both halves of a value; the fine one is 0 until it is received. */
static uint32_t enter_data(bl_channel_states *states, uint8_t channel, uint8_t coarse,
                           uint8_t fine) BL_NONBLOCKING {
    bl_channel_state *own = &states->channels[channel];
    if (own->parameter[0] != 0 || coarse == NOT_ENTERED) {
        return 0;
    }
    own->entered = coarse;
    switch (own->parameter[1]) {
    case REGISTERED_BEND_RANGE: /* in semitones and cents */
        set_bend_range(states, channel, (float)coarse + 0.01f * (float)fine);
        return BL_CHANGED_BEND | BL_CHANGED_ALL_CHANNELS;
    case REGISTERED_FINE_TUNING:
        own->fine = (float)((coarse << 7 | fine) - 8192) / 8192.0f;
        return BL_CHANGED_BEND | BL_CHANGED_ALL_CHANNELS;
    case REGISTERED_COARSE_TUNING:
        own->coarse = (float)(coarse - 64);
        return BL_CHANGED_BEND | BL_CHANGED_ALL_CHANNELS;
    case REGISTERED_ZONE:
        if (fine > 0 || channel % (BL_MIDI_CHANNELS - 1) != 0) {
            return 0;
        }
        bl_channel_states_set_zone(states, channel == 0 ? BL_LOWER_ZONE : BL_UPPER_ZONE, coarse);
        return BL_CHANGED_ZONES;
    default: return 0;
    }
}

static void select_parameter(bl_channel_state *own, uint8_t controller,
                             uint8_t number) BL_NONBLOCKING {
    if (controller >= BL_REGISTERED_LOW) {
        own->parameter[controller == BL_REGISTERED_LOW] = number;
    } else {
        own->parameter[0] = own->parameter[1] = NO_PARAMETER;
    }
    own->entered = NOT_ENTERED;
}

/* Resets the controllers that bl_midi_is_reset names: volume, timbre, bend ranges and tuning
   stay. */
static void reset_controllers(bl_channel_state *own) BL_NONBLOCKING {
    own->bend = own->wheel = own->pressure = 0;
    own->expression = 1;
    own->sustain = own->sostenuto = false;
    own->parameter[0] = own->parameter[1] = NO_PARAMETER;
}

static uint32_t control(bl_channel_states *states, uint8_t channel, uint8_t controller,
                        uint8_t value) BL_NONBLOCKING {
    bl_channel_state *own = &states->channels[channel];
    float share = (float)value / 127.0f;
    switch (controller) {
    case BL_MODULATION_WHEEL: own->wheel = share; return BL_CHANGED_EXPRESSION;
    case BL_VOLUME: own->volume = share; return BL_CHANGED_EXPRESSION;
    case BL_EXPRESSION: own->expression = share; return BL_CHANGED_EXPRESSION;
    case BL_TIMBRE: own->timbre = share; return BL_CHANGED_EXPRESSION;
    case BL_SUSTAIN_PEDAL: own->sustain = value >= 64; return BL_CHANGED_PEDALS;
    case BL_SOSTENUTO_PEDAL: {
        bool was_down = own->sostenuto;
        own->sostenuto = value >= 64;
        return BL_CHANGED_PEDALS | (own->sostenuto && !was_down ? BL_CAUGHT_KEYS : 0);
    }
    case BL_DATA_ENTRY: return enter_data(states, channel, value, 0);
    case BL_DATA_ENTRY_FINE: return enter_data(states, channel, own->entered, value);
    case BL_UNREGISTERED_LOW:
    case BL_UNREGISTERED_HIGH:
    case BL_REGISTERED_LOW:
    case BL_REGISTERED_HIGH: select_parameter(own, controller, value); return 0;
    case BL_RESET_ALL_CONTROLLERS:
        reset_controllers(own);
        return BL_CHANGED_BEND | BL_CHANGED_EXPRESSION | BL_CHANGED_PEDALS;
    default: return 0;
    }
}

uint32_t bl_channel_states_receive(bl_channel_states *states,
                                   const bl_midi_event *message) BL_NONBLOCKING {
    const uint8_t *bytes = message->bytes;
    uint8_t channel = bytes[0] & 0x0F;
    switch (bytes[0] & 0xF0) {
    case BL_CONTROLLER: return control(states, channel, bytes[1], bytes[2]);
    case BL_CHANNEL_PRESSURE:
        states->channels[channel].pressure = (float)bytes[1] / 127.0f;
        return BL_CHANGED_EXPRESSION;
    case BL_PITCH_BEND:
        states->channels[channel].bend = bl_midi_bend(message);
        return BL_CHANGED_BEND;
    default: return 0;
    }
}
