/* What messages have said of MIDI channels, and MIDI Polyphonic Expression (MIDI Manufacturers
   Association, RP-053, 2018): each note on a channel of its own, so that bend, pressure and timbre
   are the note's; the zone's master channel speaks for all of them. */
#pragma once

#include "backline/midi.h"

enum { BL_MIDI_CHANNELS = 16 };

typedef struct bl_channel_state {
    float bend;       /* -1 to 1 */
    float bend_range; /* semitones; below 0: as the instrument's parameter has it */
    float coarse;     /* tuning, semitones */
    float fine;       /* semitones, -1 to 1 */
    float wheel;      /* 0 to 1, as all below */
    float pressure;
    float volume;
    float expression;
    float timbre;
    bool sustain, sostenuto; /* pedals that are down */
    uint8_t parameter[2];    /* registered parameter that data entry sets; 127, 127: none */
    uint8_t entered;         /* the coarse half of its value; above 127: not said yet */
} bl_channel_state;

/* A zone: a master channel and those beside it, a note on each. */
typedef enum bl_zone { BL_LOWER_ZONE, BL_UPPER_ZONE, BL_ZONE_COUNT } bl_zone;

typedef struct bl_channel_states {
    bl_channel_state channels[BL_MIDI_CHANNELS];
    uint8_t members[BL_ZONE_COUNT]; /* channels of each zone besides its master; 0: no such zone */
} bl_channel_states;

/* What a message changed, a bit each. */
enum {
    BL_CHANGED_BEND = 1 << 0,       /* or its range, or the tuning */
    BL_CHANGED_EXPRESSION = 1 << 1, /* wheel, pressure, volume, expression or timbre */
    BL_CHANGED_PEDALS = 1 << 2,
    BL_CAUGHT_KEYS = 1 << 3,          /* the sostenuto pedal came down */
    BL_CHANGED_ALL_CHANNELS = 1 << 4, /* not only its own and those of which that is the master */
    /* A channel that leaves a zone has its own pedals and bend from there on. */
    BL_CHANGED_ZONES =
        BL_CHANGED_BEND | BL_CHANGED_EXPRESSION | BL_CHANGED_PEDALS | BL_CHANGED_ALL_CHANNELS
};

/* Every channel as after power-on. [render or idle] */
void bl_channel_states_reset(bl_channel_states *states) BL_NONBLOCKING;

/* Applies a whole message: pitch bend, channel pressure, controllers 1, 7, 11, 64, 66, 74 and 121,
   and by 6, 38 and 98 to 101 a channel's bend range, its tuning, and the zones. Answers what it
   changed. [render] */
uint32_t bl_channel_states_receive(bl_channel_states *states,
                                   const bl_midi_event *message) BL_NONBLOCKING;

/* Sets up a zone, which takes its channels from the other where they meet. [render] */
void bl_channel_states_set_zone(bl_channel_states *states, bl_zone zone,
                                uint8_t members) BL_NONBLOCKING;

/* Whose controllers act on this channel's notes too: its zone's master, or itself. [render] */
uint8_t bl_channel_master(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;

/* Whether what is said of `channel` is said of a voice on channel `own`. [render] */
static inline bool bl_channel_concerns(const bl_channel_states *states, uint8_t channel,
                                       uint8_t own) BL_NONBLOCKING {
    return own == channel || bl_channel_master(states, own) == channel;
}

/* Semitones by which a channel's and its master's tunings raise its notes. [render or idle] */
float bl_channel_tuning(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;

/* Semitones by which a channel's and its master's wheels and tunings bend its notes. `range` is
   that of channels without one of their own. [render or idle] */
float bl_channel_bend(const bl_channel_states *states, uint8_t channel, float range) BL_NONBLOCKING;

/* Whether the pedal of the channel, or of its master, is down. [render] */
bool bl_channel_sustain(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;
bool bl_channel_sostenuto(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;

/* The higher of the channel's and its master's. 0 to 1. [render] */
float bl_channel_wheel(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;
float bl_channel_pressure(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;
float bl_channel_timbre(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;

/* The factor that volume and expression of the channel and its master make. [render] */
float bl_channel_loudness(const bl_channel_states *states, uint8_t channel) BL_NONBLOCKING;
