/* The state of MIDI channels, with MIDI Polyphonic Expression (MIDI Manufacturers Association,
   RP-053, 2018): each note has a channel of its own, so that bend, pressure and timbre are the
   note's; the zone's master channel applies to all of them. */
#pragma once

#include "backline/midi.h"

enum { BL_MIDI_CHANNELS = 16 };

typedef struct bl_channel_state {
    float bend;       /* -1 to 1 */
    float bend_range; /* semitones; below 0: the instrument's parameter */
    float coarse;     /* tuning, semitones */
    float fine;       /* semitones, -1 to 1 */
    float wheel;      /* 0 to 1, like all below */
    float pressure;
    float volume;
    float expression;
    float timbre;
    bool sustain, sostenuto; /* whether the pedals are down */
    uint8_t parameter[2];    /* registered parameter that data entry sets; 127, 127: none */
    uint8_t entered;         /* the coarse half of its value; above 127: not received yet */
} bl_channel_state;

/* A zone: a master channel and its member channels, one note on each. */
typedef enum bl_zone { BL_LOWER_ZONE, BL_UPPER_ZONE, BL_ZONE_COUNT } bl_zone;

typedef struct bl_channel_states {
    bl_channel_state channels[BL_MIDI_CHANNELS];
    uint8_t members[BL_ZONE_COUNT]; /* each zone's member channels; 0: no such zone */
} bl_channel_states;

/* Bits for the changes by a message. */
enum {
    BL_CHANGED_BEND = 1 << 0,       /* bend, its range, or the tuning */
    BL_CHANGED_EXPRESSION = 1 << 1, /* wheel, pressure, volume, expression or timbre */
    BL_CHANGED_PEDALS = 1 << 2,
    BL_CAUGHT_KEYS = 1 << 3,          /* the sostenuto pedal came down */
    BL_CHANGED_ALL_CHANNELS = 1 << 4, /* channels besides its own and those whose master it is */
    /* A channel that leaves a zone then has its own pedals and bend. */
    BL_CHANGED_ZONES =
        BL_CHANGED_BEND | BL_CHANGED_EXPRESSION | BL_CHANGED_PEDALS | BL_CHANGED_ALL_CHANNELS
};

/* Sets every channel to its state after power-on. [render or idle] */
void bl_channel_states_reset(bl_channel_states *states) BL_NONBLOCKING;

/* Applies a whole message: pitch bend, channel pressure, controllers 1, 7, 11, 64, 66, 74 and 121,
   and by 6, 38 and 98 to 101 a channel's bend range, its tuning, and the zones. Returns the bits of
   the changes. [render] */
uint32_t bl_channel_states_receive(bl_channel_states *states,
                                   const bl_midi_event *message) BL_NONBLOCKING;

/* Sets a zone; channels that both zones claim move to it. [render] */
void bl_channel_states_set_zone(bl_channel_states *states, bl_zone zone,
                                uint8_t members) BL_NONBLOCKING;

/* The channel whose controllers also apply to this channel's notes: its zone's master, or itself.
   [render] */
uint8_t bl_channel_master(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;

/* Whether messages on `channel` apply to a voice on channel `own`. [render] */
static inline bool bl_channel_concerns(const bl_channel_states *states, uint8_t channel,
                                       uint8_t own) BL_NONBLOCKING {
    return own == channel || bl_channel_master(states, own) == channel;
}

/* The tuning of a channel and its master, semitones. [render or idle] */
float bl_channel_tuning(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;

/* The bend of a channel and its master, wheels and tunings, semitones. `range`: for channels
   without a bend range of their own. [render or idle] */
float bl_channel_bend(const bl_channel_states *states, uint8_t channel, float range) BL_NONBLOCKING;

/* Whether the pedal of the channel, or of its master, is down. [render] */
bool bl_channel_sustain(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;
bool bl_channel_sostenuto(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;

/* The higher of the channel's and its master's value, 0 to 1. [render] */
float bl_channel_wheel(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;
float bl_channel_pressure(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;
float bl_channel_timbre(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;

/* The gain factor of volume and expression of the channel and its master. [render] */
float bl_channel_loudness(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;
