/* The sampler's parts: sampler.c has table and life cycle, sampler_midi.c the response to messages,
   sampler_notes.c the regions that a key plays and ends, sampler_steal.c voice stealing,
   sampler_begin.c the start of a voice, sampler_envelope.c its envelopes, sampler_control.c the
   targets of its pitch, level and filter, sampler_voice.c the sound. Instruments are read elsewhere
   (sampler_instrument.h). */
#pragma once

#include <stdatomic.h>

#include "base/channel_state.h"
#include "base/kit.h"
#include "dsp/sinc.h"
#include "dsp/svf.h"
#include "dsp/wet_cut.h"
#include "sampler/sampler_instrument.h"

enum {
    BL_SAMPLER_LEVEL,
    BL_SAMPLER_BANK,
    BL_SAMPLER_PROGRAM,
    BL_SAMPLER_TUNE,
    BL_SAMPLER_VELOCITY,
    BL_SAMPLER_ATTACK,
    BL_SAMPLER_RELEASE,
    BL_SAMPLER_HIGH_CUT,
    BL_SAMPLER_POLYPHONY,
    BL_SAMPLER_WARNINGS,
    BL_SAMPLER_UNDERRUNS,
    BL_SAMPLER_PARAMETER_COUNT
};

enum {
    /* Frames between two updates of a voice's modulation, counted from the reset; it is linear
       between them. */
    BL_SAMPLER_GRID = 32
};

/* The most frames of a sample for one output frame: 5 octaves. */
#define BL_SAMPLER_LARGEST_STEP 32.0f
/* The widest factor of the interpolation kernel, so that notes up to two octaves up do not
   alias. */
#define BL_SAMPLER_WIDEST 4.0f
enum { BL_SAMPLER_KERNEL = BL_SINC_TAPS * BL_SINC_PLACES + 1 };

typedef enum bl_voice_stage {
    BL_VOICE_FREE,
    BL_VOICE_DELAY,
    BL_VOICE_ATTACK, /* linear rise */
    BL_VOICE_HOLD,
    BL_VOICE_DECAY, /* exponential fall */
    BL_VOICE_SUSTAIN,
    BL_VOICE_RELEASE, /* exponential fall */
    BL_VOICE_FADE     /* fast linear fall */
} bl_voice_stage;

/* The times and levels of an envelope for one note. */
typedef struct bl_note_envelope {
    float start, delay, attack, hold, decay, sustain, release; /* seconds; levels 0 to 1 */
} bl_note_envelope;

/* A voice's slot; all zero is free. */
typedef struct bl_sampler_voice {
    const bl_sampler_instrument *instrument;
    const bl_region *region;
    uint8_t channel, key, velocity;
    bool key_down;  /* held by the key or the pedal */
    uint64_t event; /* number of the message that started or released it */
    uint64_t note;  /* number of the message that started it */
    uint32_t wait;  /* frames until its sample starts */
    /* Frames since the start of its envelopes of pitch and filter, and of its oscillators; below 0:
       they wait. */
    int64_t age;
    bool fresh; /* nothing has been computed for it yet */

    /* The position in the sample, frames. */
    int64_t place; /* 2^32 for a frame, so that it returns to exactly the same position */
    bool loops;
    int64_t looped; /* frames by which loops have moved it back */
    uint32_t cross_fade;
    bl_sample_stream *stream; /* stream of frames that are not in memory; or NULL, also if free */

    /* The level envelope. */
    bl_voice_stage stage;
    bl_note_envelope envelope;
    double level;              /* present level, 0 to 1 */
    double factor;             /* per frame, while falling */
    uint32_t position, length; /* position in the stage, and its length, frames */
    float from;                /* level at the start of an attack or a fade */

    /* The envelopes of pitch and cutoff. */
    bl_note_envelope motions[BL_MOTION_COUNT];
    float released_at;                    /* seconds after the note's start; below 0: not yet */
    float motion_levels[BL_MOTION_COUNT]; /* levels at the release */

    /* Values fixed at the note's start. */
    float gain, cents, cutoff;               /* a factor, cents, cents above the region's */
    double lfo_phases[BL_SAMPLER_LFO_COUNT]; /* turns */

    float peak, loudness; /* since the last line of the grid; decaying from earlier peaks */

    /* Values that move along the grid. */
    bl_ramp step, left, right; /* frames of the sample per frame; factors */
    bl_ramp band, low, loss, damping;
    bl_svf_state filter;
} bl_sampler_voice;

typedef struct bl_sampler_channel {
    bl_ramp sources[BL_SOURCE_COUNT]; /* 0 to 127; bend -1 to 1 */
    uint64_t moving[3];               /* bits of the moving ramps */
    uint32_t selected_bank;           /* used from the next program change on */
    uint32_t bank, program;
    /* The state of each key: whether it is down, was released while a pedal held it, or was down
       when the sostenuto pedal was pressed; its velocity and start. */
    bool keys[BL_KEYS], held[BL_KEYS], caught[BL_KEYS];
    uint8_t velocities[BL_KEYS];
    uint64_t begun[BL_KEYS];                  /* in frames since the reset */
    const bl_sampler_preset *struck[BL_KEYS]; /* preset whose release regions it starts; or NULL */
} bl_sampler_channel;

typedef struct bl_sampler_unit {
    bl_unit_base base;
    bl_sinc sinc;
    float kernel[BL_SAMPLER_KERNEL + 1]; /* the same kernel in one array */
    bl_sampler_voice voices[BL_SAMPLER_SLOTS];
    bl_sampler_channel channels[BL_MIDI_CHANNELS];
    bl_channel_states states;          /* bend ranges and pedals of the channels */
    uint64_t now;                      /* frames since the reset */
    uint64_t event;                    /* messages since the reset */
    int32_t last_switch, previous_key; /* or -1 */
    bl_wet_cut cut;
    bl_swap_slot instruments; /* slot; the voices of the former instrument fade out */
    /* [control] */
    const bl_sampler_instrument *newest;
    char *path;      /* path of the newest */
    uint64_t memory; /* bytes of memory for the next instrument's samples */
    _Atomic uint32_t warning_count;
    uint32_t underruns, told_underruns; /* [render] */
} bl_sampler_unit;

/* The instrument that plays, or NULL; while not allocated, the newest. [render or idle] */
BL_INLINE bl_sampler_instrument *
bl_sampler_instrument_of(const bl_sampler_unit *unit) BL_NONBLOCKING {
    return unit->instruments.present.object;
}

/* Applies a MIDI message. All cables play the same sixteen channels. [render] */
void bl_sampler_receive(bl_sampler_unit *unit, const bl_midi_event *message) BL_NONBLOCKING;
/* Sets every channel to its state after power-on, with the preset of the parameters. [render or
   idle] */
void bl_sampler_reset_channels(bl_sampler_unit *unit) BL_NONBLOCKING;
/* Sets all channels to the preset of the parameters. [render or idle] */
void bl_sampler_choose_preset(bl_sampler_unit *unit) BL_NONBLOCKING;
/* Sets all channels to the initial values of a new instrument. [render or idle] */
void bl_sampler_begin_instrument(bl_sampler_unit *unit) BL_NONBLOCKING;

/* Handle keys and controllers. [render] */
void bl_sampler_note_on(bl_sampler_unit *unit, uint8_t channel, uint8_t key,
                        uint8_t velocity) BL_NONBLOCKING;
void bl_sampler_note_off(bl_sampler_unit *unit, uint8_t channel, uint8_t key) BL_NONBLOCKING;
/* Releases the keys that are neither down nor held by a pedal, after a pedal or the pedals of a
   channel have changed. The sostenuto pedal `catches` the keys that are down when it is pressed. */
void bl_sampler_follow_pedals(bl_sampler_unit *unit, uint8_t channel, bool catches) BL_NONBLOCKING;
/* Handles a controller's change from one value to another, 0 to 127. */
void bl_sampler_controller_moved(bl_sampler_unit *unit, uint8_t channel, uint8_t controller,
                                 float from) BL_NONBLOCKING;
/* Ends all notes of a channel. */
void bl_sampler_all_off(bl_sampler_unit *unit, uint8_t channel, bool at_once) BL_NONBLOCKING;

/* Starts a voice in a free slot, or else in that of the faintest voice. [render] */
bl_sampler_voice *bl_sampler_begin_voice(bl_sampler_unit *unit, const bl_region *region,
                                         uint8_t channel, uint8_t key,
                                         uint8_t velocity) BL_NONBLOCKING;
/* Whether a voice counts: fading ones do not. [render] */
BL_INLINE bool bl_sampler_is_sounding(const bl_sampler_voice *voice) BL_NONBLOCKING {
    return voice->stage != BL_VOICE_FREE && voice->stage != BL_VOICE_FADE;
}
/* Steals voices until there is room for one more: first released ones, then those that only the
   pedal holds, then the others, the faintest first; then the lowest held one, and last those of the
   present message. [render] */
void bl_sampler_make_room(bl_sampler_unit *unit) BL_NONBLOCKING;
/* Frees the slot of a voice. [render] */
void bl_sampler_end_voice(bl_sampler_voice *voice) BL_NONBLOCKING;
/* Releases a voice, or fades it out within so many seconds. [render] */
void bl_sampler_release_voice(const bl_sampler_unit *unit, bl_sampler_voice *voice) BL_NONBLOCKING;
/* Applies the release parameter to the voices that are in their release. [render] */
void bl_sampler_follow_release(bl_sampler_unit *unit) BL_NONBLOCKING;
void bl_sampler_fade_voice(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                           float seconds) BL_NONBLOCKING;

/* The controllers' modulation of a target of a region, `ahead` frames from now. [render] */
float bl_sampler_modulation(const bl_sampler_unit *unit, const bl_region *region, uint8_t channel,
                            bl_target target, uint32_t ahead) BL_NONBLOCKING;
/* The level of an envelope of pitch or cutoff so many seconds after its note's start. [render] */
float bl_sampler_motion_level(const bl_sampler_voice *voice, uint32_t motion,
                              float seconds) BL_NONBLOCKING;
/* Starts a voice's ramps to the next line of the grid, `ahead` frames away. [render] */
void bl_sampler_control(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                        uint32_t ahead) BL_NONBLOCKING;

/* Enters a stage of the level envelope, or the next that has a length. [render] */
void bl_sampler_enter(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                      bl_voice_stage stage) BL_NONBLOCKING;
/* Writes the level envelope; returns the number of frames until its end. [render] */
uint32_t bl_sampler_fill_levels(const bl_sampler_unit *unit, bl_sampler_voice *voice, float *levels,
                                uint32_t frames) BL_NONBLOCKING;

/* Renders `frames` frames, without an event inside, to one or two channels. [render] */
void bl_sampler_process(bl_sampler_unit *unit, float *const *output, uint32_t first_frame,
                        uint32_t frames) BL_NONBLOCKING;
