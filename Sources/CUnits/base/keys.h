/* What keys, pedals and controllers do to the voices of an instrument: which voice plays which key,
   and which makes room for another. How a voice sounds is the instrument's. */
#pragma once

#include "backline/unit.h"
#include "base/channel_state.h"
#include "base/tuning.h"

typedef enum bl_key_stage {
    BL_KEY_FREE,
    BL_KEY_SOUNDS,
    BL_KEY_RELEASED, /* it is ending in its own time */
    BL_KEY_FADES     /* it is cut off */
} bl_key_stage;

/* One slot; all zero is free. The instrument frees it (stage) when its sound has ended. */
typedef struct bl_key_voice {
    bl_key_stage stage;
    uint8_t channel;
    uint8_t note;
    bool key_down;
    bool is_caught;   /* the sostenuto pedal came down while its key was */
    uint64_t order;   /* when it began, or was released, among all */
    uint32_t note_id; /* 0: none */
    float expressions[BL_EXPRESSION_COUNT];
} bl_key_voice;

/* What the instrument does, for the voice in a slot. [render] */
typedef struct bl_key_actions {
    /* Begins a note; keys.voices[slot] is filled in already. */
    void (*start)(bl_unit *unit, uint32_t slot, uint8_t velocity) BL_NONBLOCKING;
    void (*release)(bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
    /* Ends it within milliseconds. */
    void (*fade)(bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
    /* How loud it is, to compare those that fade. */
    float (*loudness)(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
    /* Its channel's bend has changed. */
    void (*tune)(bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
    /* Its channel's wheel, pressure, volume, expression or timbre has changed. */
    void (*express)(bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
} bl_key_actions;

/* Semitones by which the channel and the note's own pitch bend a voice; and the higher of the
   channel's and the note's own. [render or idle] */
float bl_key_bend(const bl_channel_states *channels, const bl_key_voice *voice,
                  float range) BL_NONBLOCKING;
float bl_key_pressure(const bl_channel_states *channels, const bl_key_voice *voice) BL_NONBLOCKING;
float bl_key_timbre(const bl_channel_states *channels, const bl_key_voice *voice) BL_NONBLOCKING;
/* The factor that volume and expression of the channel, and the note's gain, make. [render] */
float bl_key_loudness(const bl_channel_states *channels, const bl_key_voice *voice) BL_NONBLOCKING;

typedef struct bl_keys {
    bl_channel_states channels;
    const bl_key_actions *actions;
    const bl_tuning_slot *tuning; /* keys that it does not play are not struck */
    bl_key_voice *voices;
    /* More slots than voices: one that is cut off fades out in its own while the new one begins. */
    uint32_t slot_count;
    uint32_t polyphony; /* voices that sound at once */
    uint64_t order;     /* of the next voice */
} bl_keys;

/* All voices free, all channels as after power-on. [render or idle] */
void bl_keys_reset(bl_keys *keys) BL_NONBLOCKING;

/* Applies a whole MIDI message, if it has a meaning here. All cables play the same sixteen
   channels. [render] */
void bl_keys_receive(bl_keys *keys, bl_unit *unit, const bl_midi_event *message) BL_NONBLOCKING;

/* Moves an expression of the notes that the event names; and gives the note that the message has
   just begun its identifier, if it is not 0. [render] */
void bl_keys_express(bl_keys *keys, bl_unit *unit, const bl_expression_event *event) BL_NONBLOCKING;
void bl_keys_name(bl_keys *keys, const bl_midi_event *message, uint32_t note_id) BL_NONBLOCKING;

/* Begins a note in a slot of its own. [render] */
void bl_keys_start(bl_keys *keys, bl_unit *unit, uint8_t channel, uint8_t note,
                   uint8_t velocity) BL_NONBLOCKING;

/* Releases a voice that sounds, or cuts off one that still does. [render] */
void bl_keys_release(bl_keys *keys, bl_unit *unit, uint32_t slot) BL_NONBLOCKING;
void bl_keys_fade(bl_keys *keys, bl_unit *unit, uint32_t slot) BL_NONBLOCKING;

/* Cuts off what is too much after `polyphony` was lowered. [render] */
void bl_keys_keep_polyphony(bl_keys *keys, bl_unit *unit, uint32_t polyphony) BL_NONBLOCKING;

/* Gives all voices their pitch anew. [render or idle] */
void bl_keys_tune(bl_keys *keys, bl_unit *unit) BL_NONBLOCKING;
