/* What is said of MIDI channels, and MIDI Polyphonic Expression (MIDI Manufacturers Association,
   RP-053, 2018): each note on a channel of its own, so that bend, pressure and timbre are the
   note's; the zone's master channel speaks for all of them. */
#ifndef BACKLINE_MPE_H
#define BACKLINE_MPE_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/midi.h"

enum { BL_MIDI_CHANNELS = 16, BL_MPE_UNKNOWN = 128 };

typedef struct bl_mpe_channel {
    float bend;       /* -1 to 1 */
    float bend_range; /* semitones; below 0: as the instrument's parameter has it */
    float coarse;     /* tuning, semitones */
    float fine;       /* semitones, -1 to 1 */
    float wheel;      /* 0 to 1, as all below */
    float pressure;
    float volume;
    float expression;
    float timbre;
    bool pedal, sostenuto;
    uint8_t parameter[2]; /* registered parameter that data entry sets; 127, 127: none */
    uint8_t entered;      /* the coarse half of its value; BL_MPE_UNKNOWN: not said yet */
} bl_mpe_channel;

/* A zone: a master channel and those beside it, a note on each. */
typedef enum bl_mpe_zone { BL_LOWER_ZONE, BL_UPPER_ZONE, BL_ZONE_COUNT } bl_mpe_zone;

typedef struct bl_mpe {
    bl_mpe_channel channels[BL_MIDI_CHANNELS];
    uint8_t members[BL_ZONE_COUNT]; /* channels of each zone besides its master; 0: no such zone */
} bl_mpe;

/* What a controller changed. */
typedef enum bl_mpe_change {
    BL_MPE_IGNORED,   /* it is none of those that bl_mpe_control knows */
    BL_MPE_NOTHING,   /* nothing that is heard */
    BL_MPE_EXPRESSED, /* the channel's wheel, pressure, volume, expression or timbre */
    BL_MPE_RETUNED    /* bend ranges or tuning */
} bl_mpe_change;

/* Every channel as after power-on. [render or idle] */
void bl_mpe_reset(bl_mpe *mpe) BL_NONBLOCKING;

/* Applies controllers 1, 6, 7, 11, 38, 74 and 98 to 101 (modulation, data entry, volume,
   expression, timbre, parameter numbers). Data entry sets a channel's bend range, its tuning, and
   the zones. [render] */
bl_mpe_change bl_mpe_control(bl_mpe *mpe, uint8_t channel, uint8_t controller,
                             uint8_t value) BL_NONBLOCKING;

/* Puts a channel's wheels, pressure, expression and pedal at rest, and lets data entry set nothing:
   controller 121. [render] */
void bl_mpe_reset_controllers(bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING;

/* The channel whose controllers act on this one's notes as well: the master of its zone, or itself.
   [render] */
uint8_t bl_mpe_master(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING;

/* Whether what is said of `channel` is said of a voice on channel `own`. [render] */
static inline bool bl_mpe_concerns(const bl_mpe *mpe, uint8_t channel, uint8_t own) BL_NONBLOCKING {
    return own == channel || bl_mpe_master(mpe, own) == channel;
}

/* Semitones by which a channel's and its master's tunings raise its notes. [render or idle] */
float bl_mpe_tuning(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING;

/* Semitones by which a channel's and its master's wheels and tunings bend its notes. `range` is
   that of channels without one of their own. [render or idle] */
float bl_mpe_bend(const bl_mpe *mpe, uint8_t channel, float range) BL_NONBLOCKING;

/* Whether the sustain pedal of the channel, or of its master, is down. [render] */
bool bl_mpe_pedal(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING;

/* The higher of the channel's and its master's. 0 to 1. [render] */
float bl_mpe_wheel(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING;
float bl_mpe_pressure(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING;
float bl_mpe_timbre(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING;

/* The factor that volume and expression of the channel and its master make. [render] */
float bl_mpe_loudness(const bl_mpe *mpe, uint8_t channel) BL_NONBLOCKING;

#endif
