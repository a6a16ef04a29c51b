/* The pitch shifter's parts: pitch_shifter.c has table and life cycle, pitch_shifter_render.c its
   sound. */
#pragma once

#include "base/effect.h"
#include "dsp/vocoder.h"
#include "pitch_shifter/grains.h"
#include "pitch_shifter/splicer.h"

enum { BL_SHIFTER_VOICES = BL_VOCODER_VOICES };

enum {
    BL_SHIFTER_QUALITY,
    BL_SHIFTER_VOICE_COUNT,
    BL_SHIFTER_SCALE,
    BL_SHIFTER_ROOT,
    BL_SHIFTER_PEDAL,
    BL_SHIFTER_BEND,
    BL_SHIFTER_DRY,
    BL_SHIFTER_KEEP_FORMANTS,
    BL_SHIFTER_FORMANT_SHIFT,
    BL_SHIFTER_FIRST_VOICE /* BL_SHIFTER_OF_VOICE parameters for each voice */
};
enum {
    BL_SHIFTER_SEMITONES,
    BL_SHIFTER_CENTS,
    BL_SHIFTER_LEVEL,
    BL_SHIFTER_PAN,
    BL_SHIFTER_DELAY,
    BL_SHIFTER_OF_VOICE
};
enum { BL_SHIFTER_PARAMETERS = BL_SHIFTER_FIRST_VOICE + BL_SHIFTER_VOICES * BL_SHIFTER_OF_VOICE };
enum { BL_SHIFTER_LIVE, BL_SHIFTER_HIGH };

/* The address of a voice's parameter. */
#define BL_SHIFTER_PLACE(VOICE, PARAMETER)                                                         \
    (BL_SHIFTER_FIRST_VOICE + (VOICE)*BL_SHIFTER_OF_VOICE + (PARAMETER))

/* The crossover of both vocoders, between two notes, D6 and D♯6, Hz. */
#define BL_SHIFTER_CROSSING 1209.0

/* The longest delay of a voice, milliseconds. */
#define BL_SHIFTER_LONGEST_DELAY 1000.0f

typedef struct bl_shifter_voice {
    bl_splicer splicer;
    bl_grains grains;
    double semitones; /* present interval */
    double delay;     /* present delay, frames */
    float *ring;      /* past sound for the delay: delay_frames */
    uint64_t since;   /* the clock at its start; frames before it are silence */
    bl_ramp weight;   /* to 1 while it plays */
} bl_shifter_voice;

typedef struct bl_shifter_unit {
    bl_unit_base base;
    bl_vocoder low, high; /* vocoders of the partials below and above BL_SHIFTER_CROSSING */
    bl_pitch_tracker tracker;
    bl_splice_past past;
    bl_shifter_voice voices[BL_SHIFTER_VOICES];
    bl_vocoder_voices shift;
    /* The factors of the last steps, in a ring: `low` plays its factors so many steps later than
       `high`. */
    double (*factors)[BL_SHIFTER_VOICES];
    uint32_t factor_steps;
    uint32_t delay_frames; /* a power of two */
    float *dry[2];         /* past input: low.ring frames */
    uint64_t clock;        /* frames since the reset */
    uint32_t quality;      /* present value, as keeps_formants */
    bool keeps_formants;
    bl_grain_marks marks;
    bl_ramp tone;                               /* 1: there is a tone, whose formants can be kept */
    bl_ramp presence;                           /* 0 while these change */
    int32_t note;                               /* the last note; 0 is a C */
    double semitone_smoothing, delay_smoothing; /* per BL_VOCODER_STEP, per frame */
} bl_shifter_unit;

/* The latency in High, frames. [any] */
BL_INLINE uint32_t bl_shifter_latency(const bl_shifter_unit *shifter) BL_NONBLOCKING {
    return bl_vocoder_latency(&shifter->low);
}

/* Applies the quality and the formants' mode. [render, or idle] */
void bl_shifter_set_mode(bl_shifter_unit *shifter) BL_NONBLOCKING;

/* Sets the voices' intervals and delays to the parameters' values. [render, or idle] */
void bl_shifter_jump_to_targets(bl_shifter_unit *shifter) BL_NONBLOCKING;

/* The kit's `process`. [render] */
void bl_shifter_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                        uint32_t frames) BL_NONBLOCKING;
