/* What a voice of the drum machine is made of: oscillators and noise, and up to three layers of
   them, each through its band and under its envelope. */
#pragma once

#include <stdint.h>

enum { BL_DRUM_OSCILLATORS = 6, BL_DRUM_LAYERS = 3, BL_DRUM_MODELS = 2 };

typedef enum bl_drum_voice_name {
    BL_DRUM_KICK,
    BL_DRUM_SNARE,
    BL_DRUM_RIM,
    BL_DRUM_CLAP,
    BL_DRUM_CLOSED_HAT,
    BL_DRUM_OPEN_HAT,
    BL_DRUM_LOW_TOM,
    BL_DRUM_MID_TOM,
    BL_DRUM_HIGH_TOM,
    BL_DRUM_CRASH,
    BL_DRUM_RIDE,
    BL_DRUM_COWBELL,
    BL_DRUM_CLAVES,
    BL_DRUM_SHAKER,
    BL_DRUM_VOICES
} bl_drum_voice_name;

typedef enum bl_drum_source {
    BL_DRUM_NOTHING,
    BL_DRUM_SINES,   /* begin at phase 0 with each stroke */
    BL_DRUM_SQUARES, /* run all the time, as a circuit's oscillators do */
    BL_DRUM_NOISE    /* white */
} bl_drum_source;

typedef struct bl_drum_layer_design {
    bl_drum_source source;
    float level;     /* factor, where the tone is 50 % */
    float longest;   /* its decay where the voice's is longer, seconds; 0: it is the voice's */
    float low_cut;   /* Hz; 0: none */
    float high_cut;  /* Hz; 0: none */
    float resonance; /* of both cuts, dB */
    float tone;      /* dB that the level rises towards 100 % tone, and falls towards 0 */
    float shift;     /* octaves that the cuts rise, as well */
    uint32_t bursts; /* more beginnings of the envelope, BL_DRUM_BURST apart */
} bl_drum_layer_design;

/* At least the attack of every design. Seconds */
#define BL_DRUM_LONGEST_ATTACK 0.02

/* Hands of a clap do not meet at once. Seconds */
#define BL_DRUM_BURST 0.01

typedef struct bl_drum_design {
    float frequencies[BL_DRUM_OSCILLATORS]; /* Hz; 0 ends them */
    float levels[BL_DRUM_OSCILLATORS];      /* factors */
    float sweep;                            /* the frequencies begin at (1 + sweep) times theirs */
    float sweep_time;                       /* and come down with this time constant, seconds */
    float attack;                           /* straight up to full, seconds */
    bl_drum_layer_design layers[BL_DRUM_LAYERS];
} bl_drum_design;

/* By voice and model. */
extern const bl_drum_design bl_drum_designs[BL_DRUM_VOICES][BL_DRUM_MODELS];
