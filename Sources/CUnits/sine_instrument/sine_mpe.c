/* MIDI Polyphonic Expression (MIDI Manufacturers Association, RP-053, 2018): each note on a channel
   of its own, so that bend, pressure and timbre are the note's; the zone's master channel speaks
   for all of them. */
#include "dsp/declick.h"
#include "sine_instrument/sine_instrument.h"

enum {
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

/* What full pressure adds to the level: twice as loud. */
#define FULL_SWELL 1.0f
/* Bend ranges of a new zone's channels. Semitones */
#define MEMBER_BEND_RANGE 48
#define MASTER_BEND_RANGE 2

static bool is_member(const bl_sine_unit *unit, bl_sine_zone zone, uint8_t channel) BL_NONBLOCKING {
    return zone == BL_LOWER_ZONE
               ? channel > LOWER_MASTER && channel <= unit->members[zone]
               : channel < UPPER_MASTER && channel >= UPPER_MASTER - unit->members[zone];
}

uint8_t bl_sine_master(const bl_sine_unit *unit, uint8_t channel) BL_NONBLOCKING {
    if (unit->members[BL_LOWER_ZONE] > 0 && is_member(unit, BL_LOWER_ZONE, channel)) {
        return LOWER_MASTER;
    }
    if (unit->members[BL_UPPER_ZONE] > 0 && is_member(unit, BL_UPPER_ZONE, channel)) {
        return UPPER_MASTER;
    }
    return channel;
}

static float own_bend(const bl_sine_unit *unit, uint8_t channel) BL_NONBLOCKING {
    const bl_sine_channel *own = &unit->channels[channel];
    float range =
        own->bend_range >= 0 ? own->bend_range : unit->base.parameters[BL_SINE_BEND_RANGE].target;
    return own->bend * range;
}

float bl_sine_bend(const bl_sine_unit *unit, uint8_t channel) BL_NONBLOCKING {
    uint8_t master = bl_sine_master(unit, channel);
    return own_bend(unit, channel) + (master != channel ? own_bend(unit, master) : 0);
}

bool bl_sine_pedal(const bl_sine_unit *unit, uint8_t channel) BL_NONBLOCKING {
    return unit->channels[channel].pedal || unit->channels[bl_sine_master(unit, channel)].pedal;
}

static void reset_channel(bl_sine_channel *channel) BL_NONBLOCKING {
    *channel = (bl_sine_channel){
        .bend_range = -1, .volume = 1, .expression = 1, .parameter = {NO_PARAMETER, NO_PARAMETER}};
}

void bl_sine_reset_channels(bl_sine_unit *unit) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        reset_channel(&unit->channels[channel]);
    }
    unit->members[BL_LOWER_ZONE] = 0;
    unit->members[BL_UPPER_ZONE] = 0;
}

/* A zone takes its channels from the other where they meet; a new one begins with bend ranges of
   its own. */
static void configure_zone(bl_sine_unit *unit, bl_sine_zone zone, uint8_t members) BL_NONBLOCKING {
    bl_sine_zone other = zone == BL_LOWER_ZONE ? BL_UPPER_ZONE : BL_LOWER_ZONE;
    members = members < BL_MIDI_CHANNELS - 1 ? members : BL_MIDI_CHANNELS - 1;
    unit->members[zone] = members;
    if (members + unit->members[other] > BL_MIDI_CHANNELS - 2) {
        unit->members[other] =
            members < BL_MIDI_CHANNELS - 2 ? (uint8_t)(BL_MIDI_CHANNELS - 2 - members) : 0;
    }
    for (uint8_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        if (members > 0 && is_member(unit, zone, channel)) {
            unit->channels[channel].bend_range = MEMBER_BEND_RANGE;
        }
    }
    uint8_t master = zone == BL_LOWER_ZONE ? LOWER_MASTER : UPPER_MASTER;
    unit->channels[master].bend_range = members > 0 ? MASTER_BEND_RANGE : -1;
    bl_sine_tune(unit);
}

/* In a zone, a bend range said on one member is that of all of them. */
static void set_bend_range(bl_sine_unit *unit, uint8_t channel, uint8_t semitones) BL_NONBLOCKING {
    uint8_t master = bl_sine_master(unit, channel);
    for (uint8_t other = 0; other < BL_MIDI_CHANNELS; other += 1) {
        bool is_fellow =
            master != channel && other != master && bl_sine_master(unit, other) == master;
        if (other == channel || is_fellow) {
            unit->channels[other].bend_range = semitones;
        }
    }
    bl_sine_tune(unit);
}

static void enter_data(bl_sine_unit *unit, uint8_t channel, uint8_t value) BL_NONBLOCKING {
    const uint8_t *parameter = unit->channels[channel].parameter;
    if (parameter[0] != 0) {
        return;
    }
    if (parameter[1] == PARAMETER_BEND_RANGE) {
        set_bend_range(unit, channel, value);
    } else if (parameter[1] == PARAMETER_ZONE && channel == LOWER_MASTER) {
        configure_zone(unit, BL_LOWER_ZONE, value);
    } else if (parameter[1] == PARAMETER_ZONE && channel == UPPER_MASTER) {
        configure_zone(unit, BL_UPPER_ZONE, value);
    }
}

/* The factor of the level for a controller, 0 to 1: 40 log10 of it in decibels, as General MIDI
   Level 2 (RP-024) has it for volume and expression. */
static float loudness(const bl_sine_channel *channel) BL_NONBLOCKING {
    float factor = channel->volume * channel->expression;
    return factor * factor;
}

static float swell(const bl_sine_unit *unit, uint8_t channel) BL_NONBLOCKING {
    const bl_sine_channel *own = &unit->channels[channel];
    const bl_sine_channel *master = &unit->channels[bl_sine_master(unit, channel)];
    float pressure = own->pressure > master->pressure ? own->pressure : master->pressure;
    float factor = loudness(own) * (own != master ? loudness(master) : 1.0f);
    return factor * (1.0f + FULL_SWELL * pressure);
}

static float timbre(const bl_sine_unit *unit, uint8_t channel) BL_NONBLOCKING {
    float master = unit->channels[bl_sine_master(unit, channel)].timbre;
    float own = unit->channels[channel].timbre;
    return own > master ? own : master;
}

static void express_voices(bl_sine_unit *unit, uint8_t channel) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SINE_SLOTS; slot += 1) {
        bl_sine_voice *voice = &unit->voices[slot];
        if (voice->channel == channel || bl_sine_master(unit, voice->channel) == channel) {
            bl_declick(&voice->swell, swell(unit, voice->channel), unit->base.sample_rate);
            bl_declick(&voice->timbre, timbre(unit, voice->channel), unit->base.sample_rate);
        }
    }
}

void bl_sine_begin_expression(const bl_sine_unit *unit, bl_sine_voice *voice) BL_NONBLOCKING {
    bl_ramp_set(&voice->swell, swell(unit, voice->channel));
    bl_ramp_set(&voice->timbre, timbre(unit, voice->channel));
}

void bl_sine_press(bl_sine_unit *unit, uint8_t channel, uint8_t pressure) BL_NONBLOCKING {
    unit->channels[channel].pressure = (float)pressure / 127.0f;
    express_voices(unit, channel);
}

bool bl_sine_express(bl_sine_unit *unit, uint8_t channel, uint8_t controller,
                     uint8_t value) BL_NONBLOCKING {
    bl_sine_channel *own = &unit->channels[channel];
    switch (controller) {
    case CONTROLLER_DATA_ENTRY:
        enter_data(unit, channel, value);
        return true;
    case CONTROLLER_VOLUME:
        own->volume = (float)value / 127.0f;
        express_voices(unit, channel);
        return true;
    case CONTROLLER_EXPRESSION:
        own->expression = (float)value / 127.0f;
        express_voices(unit, channel);
        return true;
    case CONTROLLER_TIMBRE:
        own->timbre = (float)value / 127.0f;
        express_voices(unit, channel);
        return true;
    case CONTROLLER_REGISTERED_HIGH:
        own->parameter[0] = value;
        return true;
    case CONTROLLER_REGISTERED_LOW:
        own->parameter[1] = value;
        return true;
    case CONTROLLER_UNREGISTERED_HIGH:
    case CONTROLLER_UNREGISTERED_LOW:
        own->parameter[0] = NO_PARAMETER;
        own->parameter[1] = NO_PARAMETER;
        return true;
    default:
        return false;
    }
}
