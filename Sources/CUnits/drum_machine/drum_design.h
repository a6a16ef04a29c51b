/* The design of a voice of the drum machine: oscillators and noise, and up to three layers of them,
   each with its band and its envelope. */
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
    BL_DRUM_SINES,   /* start at phase 0 with each stroke */
    BL_DRUM_SQUARES, /* free-running, as a circuit's oscillators are */
    BL_DRUM_NOISE    /* white noise */
} bl_drum_source;

typedef struct bl_drum_layer_design {
    bl_drum_source source;
    float level;     /* factor at a tone of 50 % */
    float longest;   /* limit of its decay, seconds; 0: the voice's decay */
    float low_cut;   /* Hz; 0: none */
    float high_cut;  /* Hz; 0: none */
    float resonance; /* resonance of both cuts, dB */
    float tone;      /* rise of the level towards 100 % tone, and fall towards 0, dB */
    float shift;     /* octaves by which the cuts rise in the same way */
    uint32_t bursts; /* restarts of the envelope, BL_DRUM_BURST apart */
} bl_drum_layer_design;

/* The longest attack of all designs, seconds. */
#define BL_DRUM_LONGEST_ATTACK 0.02

/* The interval between the hands of a clap, seconds. */
#define BL_DRUM_BURST 0.01

typedef struct bl_drum_design {
    float frequencies[BL_DRUM_OSCILLATORS]; /* Hz; ended by 0 */
    float levels[BL_DRUM_OSCILLATORS];      /* factors */
    float sweep;                            /* the frequencies start at (1 + sweep) times these */
    float sweep_time;                       /* and fall with this time constant, seconds */
    float attack;                           /* linear rise, seconds */
    bl_drum_layer_design layers[BL_DRUM_LAYERS];
} bl_drum_design;

/* The designs by voice and model. */
extern const bl_drum_design bl_drum_designs[BL_DRUM_VOICES][BL_DRUM_MODELS];
