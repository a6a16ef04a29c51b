#include "base/mpe.h"

enum {
    CONTROLLER_MODULATION = 1,
    CONTROLLER_DATA_ENTRY = 6,
    CONTROLLER_VOLUME = 7,
    CONTROLLER_EXPRESSION = 11,
    CONTROLLER_TIMBRE = 74,
    CONTROLLER_UNREGISTERED_LOW = 98,
    CONTROLLER_UNREGISTERED_HIGH = 99,
    CONTROLLER_REGISTERED_LOW = 100,
    CONTROLLER_REGISTERED_HIGH = 101,
    PARAMETER_BEND_RANGE = 0,
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

float bl_mpe_bend(const bl_mpe *mpe, uint8_t channel, float range) BL_NONBLOCKING {
    uint8_t master = bl_mpe_master(mpe, channel);
    return own_bend(mpe, channel, range) + (master != channel ? own_bend(mpe, master, range) : 0);
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
                                                  .parameter = {NO_PARAMETER, NO_PARAMETER}};
    }
    mpe->members[BL_LOWER_ZONE] = 0;
    mpe->members[BL_UPPER_ZONE] = 0;
}

void bl_mpe_reset_controllers(bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING {
    bl_mpe_channel *own = &mpe->channels[channel];
    own->bend = own->wheel = own->pressure = 0;
    own->expression = 1;
    own->pedal = false;
    own->parameter[0] = own->parameter[1] = NO_PARAMETER;
}

/* A zone takes its channels from the other where they meet; a new one begins with bend ranges of
   its own. */
static void configure_zone(bl_mpe *mpe, bl_mpe_zone zone, uint8_t members) BL_NONBLOCKING {
    bl_mpe_zone other = zone == BL_LOWER_ZONE ? BL_UPPER_ZONE : BL_LOWER_ZONE;
    members = members < BL_MIDI_CHANNELS - 1 ? members : BL_MIDI_CHANNELS - 1;
    mpe->members[zone] = members;
    if (members + mpe->members[other] > BL_MIDI_CHANNELS - 2) {
        mpe->members[other] =
            members < BL_MIDI_CHANNELS - 2 ? (uint8_t)(BL_MIDI_CHANNELS - 2 - members) : 0;
    }
    for (uint8_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        if (members > 0 && is_member(mpe, zone, channel)) {
            mpe->channels[channel].bend_range = MEMBER_BEND_RANGE;
        }
    }
    uint8_t master = zone == BL_LOWER_ZONE ? LOWER_MASTER : UPPER_MASTER;
    mpe->channels[master].bend_range = members > 0 ? MASTER_BEND_RANGE : -1;
}

/* In a zone, a bend range said on one member is that of all of them. */
static void set_bend_range(bl_mpe *mpe, uint8_t channel, uint8_t semitones) BL_NONBLOCKING {
    uint8_t master = bl_mpe_master(mpe, channel);
    for (uint8_t other = 0; other < BL_MIDI_CHANNELS; other += 1) {
        bool is_fellow =
            master != channel && other != master && bl_mpe_master(mpe, other) == master;
        if (other == channel || is_fellow) {
            mpe->channels[other].bend_range = semitones;
        }
    }
}

static bl_mpe_change enter_data(bl_mpe *mpe, uint8_t channel, uint8_t value) BL_NONBLOCKING {
    const uint8_t *parameter = mpe->channels[channel].parameter;
    if (parameter[0] != 0) {
        return BL_MPE_NOTHING;
    }
    if (parameter[1] == PARAMETER_BEND_RANGE) {
        set_bend_range(mpe, channel, value);
    } else if (parameter[1] == PARAMETER_ZONE && channel == LOWER_MASTER) {
        configure_zone(mpe, BL_LOWER_ZONE, value);
    } else if (parameter[1] == PARAMETER_ZONE && channel == UPPER_MASTER) {
        configure_zone(mpe, BL_UPPER_ZONE, value);
    } else {
        return BL_MPE_NOTHING;
    }
    return BL_MPE_RETUNED;
}

bl_mpe_change bl_mpe_control(bl_mpe *mpe, uint8_t channel, uint8_t controller,
                             uint8_t value) BL_NONBLOCKING {
    bl_mpe_channel *own = &mpe->channels[channel];
    float share = (float)value / 127.0f;
    switch (controller) {
    case CONTROLLER_DATA_ENTRY:
        return enter_data(mpe, channel, value);
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
        own->parameter[0] = value;
        return BL_MPE_NOTHING;
    case CONTROLLER_REGISTERED_LOW:
        own->parameter[1] = value;
        return BL_MPE_NOTHING;
    case CONTROLLER_UNREGISTERED_HIGH:
    case CONTROLLER_UNREGISTERED_LOW:
        own->parameter[0] = NO_PARAMETER;
        own->parameter[1] = NO_PARAMETER;
        return BL_MPE_NOTHING;
    default:
        return BL_MPE_IGNORED;
    }
}
