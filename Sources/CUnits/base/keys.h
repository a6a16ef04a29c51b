/* Maps keys, pedals and controllers to the voices of an instrument: which voice plays which key,
   and which is stolen for another. The instrument renders the voices. */
#pragma once

#include "backline/unit.h"
#include "base/channel_state.h"
#include "base/tuning.h"

typedef enum bl_key_stage {
    BL_KEY_FREE,
    BL_KEY_SOUNDS,
    BL_KEY_RELEASED, /* in its release */
    BL_KEY_FADES     /* cut off, in a fast fade */
} bl_key_stage;

/* A voice's slot; all zero is free. The instrument frees it (stage) when its sound has ended. */
typedef struct bl_key_voice {
    bl_key_stage stage;
    uint8_t channel;
    uint8_t note;
    bool key_down;
    bool is_caught;   /* held by the sostenuto pedal, pressed while the key was down */
    uint64_t order;   /* order of its start or release among all voices */
    uint32_t note_id; /* 0: none */
    float expressions[BL_EXPRESSION_COUNT];
} bl_key_voice;

/* The instrument's functions for the voice in a slot. [render] */
typedef struct bl_key_actions {
    /* Starts a note; keys.voices[slot] is filled in already. */
    void (*start)(bl_unit *unit, uint32_t slot, uint8_t velocity) BL_NONBLOCKING;
    void (*release)(bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
    /* Ends the voice within milliseconds. */
    void (*fade)(bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
    /* The voice's loudness, to compare fading voices. */
    float (*loudness)(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
    /* Follows a change of the channel's bend. */
    void (*tune)(bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
    /* Follows a change of the channel's wheel, pressure, volume, expression or timbre. */
    void (*express)(bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
} bl_key_actions;

/* The bend of a voice by its channel and the note's own pitch, semitones; and the higher of the
   channel's and the note's pressure and timbre. [render or idle] */
float bl_key_bend(const bl_channel_states *channels, const bl_key_voice *voice,
                  float range) BL_NONBLOCKING;
float bl_key_pressure(const bl_channel_states *channels, const bl_key_voice *voice) BL_NONBLOCKING;
float bl_key_timbre(const bl_channel_states *channels, const bl_key_voice *voice) BL_NONBLOCKING;
/* The gain factor of the channel's volume and expression, and the note's gain. [render] */
float bl_key_loudness(const bl_channel_states *channels, const bl_key_voice *voice) BL_NONBLOCKING;

typedef struct bl_keys {
    bl_channel_states channels;
    const bl_key_actions *actions;
    const bl_tuning_slot *tuning; /* keys without a pitch in it are ignored */
    bl_key_voice *voices;
    /* Slots, more than voices: a voice that is cut off fades out in its own while the new one
       starts. */
    uint32_t slot_count;
    uint32_t polyphony; /* the most voices that sound at once */
    uint64_t order;     /* order of the next voice */
} bl_keys;

/* Frees all voices, and sets all channels to their state after power-on. [render or idle] */
void bl_keys_reset(bl_keys *keys) BL_NONBLOCKING;

/* Applies a whole MIDI message, if it is a known one. All cables share the same sixteen channels.
   [render] */
void bl_keys_receive(bl_keys *keys, bl_unit *unit, const bl_midi_event *message) BL_NONBLOCKING;

/* Change an expression of the notes that the event identifies, and assign an identifier, unless it
   is 0, to the note that the message has just started. [render] */
void bl_keys_express(bl_keys *keys, bl_unit *unit, const bl_expression_event *event) BL_NONBLOCKING;
void bl_keys_name(bl_keys *keys, const bl_midi_event *message, uint32_t note_id) BL_NONBLOCKING;

/* Starts a note in a free slot. [render] */
void bl_keys_start(bl_keys *keys, bl_unit *unit, uint8_t channel, uint8_t note,
                   uint8_t velocity) BL_NONBLOCKING;

/* Release a sounding voice, and cut off a sounding or released one. [render] */
void bl_keys_release(bl_keys *keys, bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
void bl_keys_fade(bl_keys *keys, bl_unit *unit, uint32_t slot) BL_NONBLOCKING;

/* Cuts off the voices that exceed a lowered `polyphony`. [render] */
void bl_keys_keep_polyphony(bl_keys *keys, bl_unit *unit, uint32_t polyphony) BL_NONBLOCKING;

/* Recomputes the pitch of all voices. [render or idle] */
void bl_keys_tune(bl_keys *keys, bl_unit *unit) BL_NONBLOCKING;
