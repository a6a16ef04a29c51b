#include "base/mpe.h"

enum {
    CONTROLLER_MODULATION = 1,
    CONTROLLER_DATA_ENTRY = 6,
    CONTROLLER_VOLUME = 7,
    CONTROLLER_EXPRESSION = 11,
    CONTROLLER_DATA_ENTRY_FINE = 38,
    CONTROLLER_TIMBRE = 74,
    CONTROLLER_UNREGISTERED_LOW = 98,
    CONTROLLER_UNREGISTERED_HIGH = 99,
    CONTROLLER_REGISTERED_LOW = 100,
    CONTROLLER_REGISTERED_HIGH = 101,
    PARAMETER_BEND_RANGE = 0,
    PARAMETER_FINE_TUNING = 1,
    PARAMETER_COARSE_TUNING = 2,
    PARAMETER_ZONE = 6,
    NO_PARAMETER = 127,
    LOWER_MASTER = 0,
    UPPER_MASTER = 15
};

/* Bend ranges of a new zone's channels. Semitones */
#define MEMBER_BEND_RANGE 48
#define MASTER_BEND_RANGE 2

static bool is_member(const bl_mpe *mpe, bl_mpe_zone zone, uint8_t channel) BL_NONBLOCKING {
    return zone == BL_LOWER_ZONE
               ? channel > LOWER_MASTER && channel <= mpe->members[zone]
               : channel < UPPER_MASTER && channel >= UPPER_MASTER - mpe->members[zone];
}

uint8_t bl_mpe_master(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING {
    if (mpe->members[BL_LOWER_ZONE] > 0 && is_member(mpe, BL_LOWER_ZONE, channel)) {
        return LOWER_MASTER;
    }
    if (mpe->members[BL_UPPER_ZONE] > 0 && is_member(mpe, BL_UPPER_ZONE, channel)) {
        return UPPER_MASTER;
    }
    return channel;
}

static float own_bend(const bl_mpe *mpe, uint8_t channel, float range) BL_NONBLOCKING {
    const bl_mpe_channel *own = &mpe->channels[channel];
    return own->bend * (own->bend_range >= 0 ? own->bend_range : range);
}

static float own_tuning(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING {
    return mpe->channels[channel].coarse + mpe->channels[channel].fine;
}

float bl_mpe_tuning(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING {
    uint8_t master = bl_mpe_master(mpe, channel);
    return own_tuning(mpe, channel) + (master != channel ? own_tuning(mpe, master) : 0);
}

float bl_mpe_bend(const bl_mpe *mpe, uint8_t channel, float range) BL_NONBLOCKING {
    uint8_t master = bl_mpe_master(mpe, channel);
    return bl_mpe_tuning(mpe, channel) + own_bend(mpe, channel, range) +
           (master != channel ? own_bend(mpe, master, range) : 0);
}

bool bl_mpe_pedal(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING {
    return mpe->channels[channel].pedal || mpe->channels[bl_mpe_master(mpe, channel)].pedal;
}

static float higher(float a, float b) BL_NONBLOCKING { return a > b ? a : b; }

float bl_mpe_wheel(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING {
    return higher(mpe->channels[channel].wheel, mpe->channels[bl_mpe_master(mpe, channel)].wheel);
}

float bl_mpe_pressure(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING {
    return higher(mpe->channels[channel].pressure,
                  mpe->channels[bl_mpe_master(mpe, channel)].pressure);
}

float bl_mpe_timbre(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING {
    return higher(mpe->channels[channel].timbre, mpe->channels[bl_mpe_master(mpe, channel)].timbre);
}

/* 40 log10 of a controller, 0 to 1, in decibels, as General MIDI Level 2 (RP-024) has it for volume
   and expression. */
static float own_loudness(const bl_mpe_channel *channel) BL_NONBLOCKING {
    float factor = channel->volume * channel->expression;
    return factor * factor;
}

float bl_mpe_loudness(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING {
    uint8_t master = bl_mpe_master(mpe, channel);
    float own = own_loudness(&mpe->channels[channel]);
    return own * (master != channel ? own_loudness(&mpe->channels[master]) : 1.0f);
}

void bl_mpe_reset(bl_mpe *mpe) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        mpe->channels[channel] = (bl_mpe_channel){.bend_range = -1,
                                                  .volume = 1,
                                                  .expression = 1,
                                                  .parameter = {NO_PARAMETER, NO_PARAMETER},
                                                  .entered = BL_MPE_UNKNOWN};
    }
    mpe->members[BL_LOWER_ZONE] = 0;
    mpe->members[BL_UPPER_ZONE] = 0;
}

void bl_mpe_reset_controllers(bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING {
    bl_mpe_channel *own = &mpe->channels[channel];
    own->bend = own->wheel = own->pressure = 0;
    own->expression = 1;
    own->pedal = own->sostenuto = false;
    own->parameter[0] = own->parameter[1] = NO_PARAMETER;
}

static uint8_t master_of(bl_mpe_zone zone) BL_NONBLOCKING {
    return zone == BL_LOWER_ZONE ? LOWER_MASTER : UPPER_MASTER;
}

static bool is_in(const bl_mpe *mpe, bl_mpe_zone zone, uint8_t channel) BL_NONBLOCKING {
    return mpe->members[zone] > 0 && (channel == master_of(zone) || is_member(mpe, zone, channel));
}

/* A zone takes its channels from the other where they meet; they begin with bend ranges of its own.
   A channel that is in a zone no longer has the instrument's again. */
static void configure_zone(bl_mpe *mpe, bl_mpe_zone zone, uint8_t members) BL_NONBLOCKING {
    bl_mpe_zone other = zone == BL_LOWER_ZONE ? BL_UPPER_ZONE : BL_LOWER_ZONE;
    bool was_in[BL_MIDI_CHANNELS];
    for (uint8_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        was_in[channel] = is_in(mpe, zone, channel) || is_in(mpe, other, channel);
    }
    members = members < BL_MIDI_CHANNELS - 1 ? members : BL_MIDI_CHANNELS - 1;
    mpe->members[zone] = members;
    if (members + mpe->members[other] > BL_MIDI_CHANNELS - 2) {
        mpe->members[other] =
            members < BL_MIDI_CHANNELS - 2 ? (uint8_t)(BL_MIDI_CHANNELS - 2 - members) : 0;
    }
    for (uint8_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        float *range = &mpe->channels[channel].bend_range;
        if (is_in(mpe, zone, channel)) {
            *range = channel == master_of(zone) ? MASTER_BEND_RANGE : MEMBER_BEND_RANGE;
        } else if (was_in[channel] && !is_in(mpe, other, channel)) {
            *range = -1;
        }
    }
}

/* In a zone, a bend range said on one member is that of all of them. */
static void set_bend_range(bl_mpe *mpe, uint8_t channel, float semitones) BL_NONBLOCKING {
    uint8_t master = bl_mpe_master(mpe, channel);
    for (uint8_t other = 0; other < BL_MIDI_CHANNELS; other += 1) {
        bool is_fellow =
            master != channel && other != master && bl_mpe_master(mpe, other) == master;
        if (other == channel || is_fellow) {
            mpe->channels[other].bend_range = semitones;
        }
    }
}

/* Both halves of a value; the fine one is 0 until it is said. */
static bl_mpe_change enter_data(bl_mpe *mpe, uint8_t channel, uint8_t coarse,
                                uint8_t fine) BL_NONBLOCKING {
    bl_mpe_channel *own = &mpe->channels[channel];
    if (own->parameter[0] != 0 || coarse == BL_MPE_UNKNOWN) {
        return BL_MPE_NOTHING;
    }
    own->entered = coarse;
    switch (own->parameter[1]) {
    case PARAMETER_BEND_RANGE: /* semitones and cents */
        set_bend_range(mpe, channel, (float)coarse + 0.01f * (float)fine);
        return BL_MPE_RETUNED;
    case PARAMETER_FINE_TUNING:
        own->fine = (float)((coarse << 7 | fine) - 8192) / 8192.0f;
        return BL_MPE_RETUNED;
    case PARAMETER_COARSE_TUNING:
        own->coarse = (float)(coarse - 64);
        return BL_MPE_RETUNED;
    case PARAMETER_ZONE:
        if (fine > 0 || (channel != LOWER_MASTER && channel != UPPER_MASTER)) {
            return BL_MPE_NOTHING;
        }
        configure_zone(mpe, channel == LOWER_MASTER ? BL_LOWER_ZONE : BL_UPPER_ZONE, coarse);
        return BL_MPE_RETUNED;
    default:
        return BL_MPE_NOTHING;
    }
}

static bl_mpe_change select_parameter(bl_mpe_channel *own, uint8_t half,
                                      uint8_t number) BL_NONBLOCKING {
    own->parameter[half] = number;
    own->entered = BL_MPE_UNKNOWN;
    return BL_MPE_NOTHING;
}

bl_mpe_change bl_mpe_control(bl_mpe *mpe, uint8_t channel, uint8_t controller,
                             uint8_t value) BL_NONBLOCKING {
    bl_mpe_channel *own = &mpe->channels[channel];
    float share = (float)value / 127.0f;
    switch (controller) {
    case CONTROLLER_DATA_ENTRY:
        return enter_data(mpe, channel, value, 0);
    case CONTROLLER_DATA_ENTRY_FINE:
        return enter_data(mpe, channel, own->entered, value);
    case CONTROLLER_MODULATION:
        own->wheel = share;
        return BL_MPE_EXPRESSED;
    case CONTROLLER_VOLUME:
        own->volume = share;
        return BL_MPE_EXPRESSED;
    case CONTROLLER_EXPRESSION:
        own->expression = share;
        return BL_MPE_EXPRESSED;
    case CONTROLLER_TIMBRE:
        own->timbre = share;
        return BL_MPE_EXPRESSED;
    case CONTROLLER_REGISTERED_HIGH:
        return select_parameter(own, 0, value);
    case CONTROLLER_REGISTERED_LOW:
        return select_parameter(own, 1, value);
    case CONTROLLER_UNREGISTERED_HIGH:
    case CONTROLLER_UNREGISTERED_LOW:
        select_parameter(own, 0, NO_PARAMETER);
        return select_parameter(own, 1, NO_PARAMETER);
    default:
        return BL_MPE_IGNORED;
    }
}
