/* The sampler's parts: sampler.c has its table and its life, sampler_midi.c what messages do,
   sampler_notes.c which regions a key plays and what ends them, sampler_steal.c which voice makes
   room, sampler_begin.c how a voice begins,
   sampler_envelope.c its envelopes, sampler_control.c where its pitch, level and filter are going,
   sampler_voice.c the sound. Instruments are read elsewhere
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
    /* What moves a voice is computed at every so many frames, and lies on a straight line between.
       Frames, counted from the reset */
    BL_SAMPLER_GRID = 32
};

/* The most frames of a sample for one of the output: 5 octaves. */
#define BL_SAMPLER_LARGEST_STEP 32.0f
/* By how much the interpolation is widened at most, so that what is played up to two octaves up
   does not alias. */
#define BL_SAMPLER_WIDEST 4.0f
enum { BL_SAMPLER_KERNEL = BL_SINC_TAPS * BL_SINC_PLACES + 1 };

typedef enum bl_voice_stage {
    BL_VOICE_FREE,
    BL_VOICE_DELAY,
    BL_VOICE_ATTACK, /* straight up */
    BL_VOICE_HOLD,
    BL_VOICE_DECAY, /* exponentially down */
    BL_VOICE_SUSTAIN,
    BL_VOICE_RELEASE, /* exponentially down */
    BL_VOICE_FADE     /* straight and fast down */
} bl_voice_stage;

/* The times and levels of an envelope, as a note has them. */
typedef struct bl_note_envelope {
    float start, delay, attack, hold, decay, sustain, release; /* seconds; levels 0 to 1 */
} bl_note_envelope;

/* One slot; all zero is free. */
typedef struct bl_sampler_voice {
    const bl_sampler_instrument *instrument;
    const bl_region *region;
    uint8_t channel, key, velocity;
    bool key_down;  /* the key or the pedal holds it */
    uint64_t event; /* the number of the message that began it, or released it */
    uint64_t note;  /* the number of the message that began it */
    uint32_t wait;  /* frames until its sample begins */
    /* Frames since its envelopes of pitch and filter, and its oscillators, began; below 0: they
       wait. */
    int64_t age;
    bool fresh; /* nothing was computed for it yet */

    /* Of the sample. Frames */
    int64_t place; /* 2^32 to the frame, so that it comes round to the same place */
    bool loops;
    int64_t looped; /* by how many frames loops brought it back */
    uint32_t cross_fade;
    bl_sample_stream *stream; /* what of it is not in memory; NULL: none, or free */

    /* The envelope of the level. */
    bl_voice_stage stage;
    bl_note_envelope envelope;
    double level;              /* present, 0 to 1 */
    double factor;             /* per frame, while it falls */
    uint32_t position, length; /* of the stage; frames */
    float from;                /* level at the beginning of an attack or a fade */

    /* The envelopes of pitch and cutoff. */
    bl_note_envelope motions[BL_MOTION_COUNT];
    float released_at;                    /* seconds after the note began; below 0: not yet */
    float motion_levels[BL_MOTION_COUNT]; /* as it was released */

    /* What stays as the note began. */
    float gain, cents, cutoff;               /* factor, cents, cents above the region's */
    double lfo_phases[BL_SAMPLER_LFO_COUNT]; /* turns */

    float peak, loudness; /* since the last line of the grid, and falling from former peaks */

    /* What moves along the grid. */
    bl_ramp step, left, right; /* frames of the sample, factors */
    bl_ramp band, low, loss, damping;
    bl_svf_state filter;
} bl_sampler_voice;

typedef struct bl_sampler_channel {
    bl_ramp sources[BL_SOURCE_COUNT]; /* 0 to 127; bend -1 to 1 */
    uint64_t moving[3];               /* bits: whose ramps move */
    uint32_t selected_bank;           /* from the next program change on */
    uint32_t bank, program;
    /* Of each key: whether it is down, came up while a pedal held it, or was down as the sostenuto
       pedal came down; its velocity and when it began. */
    bool keys[BL_KEYS], held[BL_KEYS], caught[BL_KEYS];
    uint8_t velocities[BL_KEYS];
    uint64_t begun[BL_KEYS];                  /* frames since the reset */
    const bl_sampler_preset *struck[BL_KEYS]; /* whose release it starts; NULL: none */
} bl_sampler_channel;

typedef struct bl_sampler_unit {
    bl_unit_base base;
    bl_sinc sinc;
    float kernel[BL_SAMPLER_KERNEL + 1]; /* the same, in one piece */
    bl_sampler_voice voices[BL_SAMPLER_SLOTS];
    bl_sampler_channel channels[BL_MIDI_CHANNELS];
    bl_channel_states states;          /* bend ranges and pedals of the channels */
    uint64_t now;                      /* frames since the reset */
    uint64_t event;                    /* messages since the reset */
    int32_t last_switch, previous_key; /* -1: none */
    bl_wet_cut cut;
    bl_swap_slot instruments; /* the voices of the former fade out */
    /* [control] */
    const bl_sampler_instrument *newest;
    char *path;      /* of the newest */
    uint64_t memory; /* bytes that the samples of the next may take */
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
/* Every channel as after power-on, with the preset that the parameters name. [render or idle] */
void bl_sampler_reset_channels(bl_sampler_unit *unit) BL_NONBLOCKING;
/* Gives all channels the preset that the parameters name. [render or idle] */
void bl_sampler_choose_preset(bl_sampler_unit *unit) BL_NONBLOCKING;
/* Gives all channels what a new instrument sets. [render or idle] */
void bl_sampler_begin_instrument(bl_sampler_unit *unit) BL_NONBLOCKING;

/* What keys and controllers start. [render] */
void bl_sampler_note_on(bl_sampler_unit *unit, uint8_t channel, uint8_t key,
                        uint8_t velocity) BL_NONBLOCKING;
void bl_sampler_note_off(bl_sampler_unit *unit, uint8_t channel, uint8_t key) BL_NONBLOCKING;
/* A pedal came down or up, or other channels have one: releases the keys that neither are down nor
   a pedal holds. The sostenuto pedal `catches` those that are down as it comes down. */
void bl_sampler_follow_pedals(bl_sampler_unit *unit, uint8_t channel, bool catches) BL_NONBLOCKING;
/* A controller went from one value to another, 0 to 127. */
void bl_sampler_controller_moved(bl_sampler_unit *unit, uint8_t channel, uint8_t controller,
                                 float from) BL_NONBLOCKING;
/* Ends all notes of a channel. */
void bl_sampler_all_off(bl_sampler_unit *unit, uint8_t channel, bool at_once) BL_NONBLOCKING;

/* Begins a voice in a free slot, and where there is none in that of the faintest. [render] */
bl_sampler_voice *bl_sampler_begin_voice(bl_sampler_unit *unit, const bl_region *region,
                                         uint8_t channel, uint8_t key,
                                         uint8_t velocity) BL_NONBLOCKING;
/* Whether a voice counts: those that only fade do not. [render] */
BL_INLINE bool bl_sampler_is_sounding(const bl_sampler_voice *voice) BL_NONBLOCKING {
    return voice->stage != BL_VOICE_FREE && voice->stage != BL_VOICE_FADE;
}
/* Lets voices go until there is room for one more: of those that nothing holds, then those that
   only the pedal holds, then the others, the faintest; the lowest that is held last, and none of
   the present message before all others. [render] */
void bl_sampler_make_room(bl_sampler_unit *unit) BL_NONBLOCKING;
/* Frees the slot of a voice. [render] */
void bl_sampler_end_voice(bl_sampler_voice *voice) BL_NONBLOCKING;
/* Releases a voice, or lets it fade within so many seconds. [render] */
void bl_sampler_release_voice(const bl_sampler_unit *unit, bl_sampler_voice *voice) BL_NONBLOCKING;
/* Voices that are released go on in the time that the parameter has now. [render] */
void bl_sampler_follow_release(bl_sampler_unit *unit) BL_NONBLOCKING;
void bl_sampler_fade_voice(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                           float seconds) BL_NONBLOCKING;

/* What controllers add to a target of a region, `ahead` frames from now. [render] */
float bl_sampler_modulation(const bl_sampler_unit *unit, const bl_region *region, uint8_t channel,
                            bl_target target, uint32_t ahead) BL_NONBLOCKING;
/* Level of an envelope of pitch or cutoff so many seconds after its note began. [render] */
float bl_sampler_motion_level(const bl_sampler_voice *voice, uint32_t motion,
                              float seconds) BL_NONBLOCKING;
/* Sends a voice's ramps on to the next line of the grid, which is `ahead` frames away. [render] */
void bl_sampler_control(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                        uint32_t ahead) BL_NONBLOCKING;

/* Enters a stage of the envelope of the level, or the next that has a length. [render] */
void bl_sampler_enter(const bl_sampler_unit *unit, bl_sampler_voice *voice,
                      bl_voice_stage stage) BL_NONBLOCKING;
/* Writes that envelope; for how many frames it sounds. [render] */
uint32_t bl_sampler_fill_levels(const bl_sampler_unit *unit, bl_sampler_voice *voice, float *levels,
                                uint32_t frames) BL_NONBLOCKING;

/* Renders `frames` frames, without an event inside, to one or two channels. [render] */
void bl_sampler_process(bl_sampler_unit *unit, float *const *output, uint32_t first_frame,
                        uint32_t frames) BL_NONBLOCKING;
