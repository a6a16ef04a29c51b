/* The pitch shifter's parts: pitch_shifter.c has its table and its life, pitch_shifter_render.c its
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

/* Between two notes, D6 and D♯6. Hz */
#define BL_SHIFTER_CROSSING 1209.0

/* The longest delay of a voice. Milliseconds */
#define BL_SHIFTER_LONGEST_DELAY 1000.0f

typedef struct bl_shifter_voice {
    bl_splicer splicer;
    bl_grains grains;
    double semitones; /* in force */
    double delay;     /* in force, frames */
    float *ring;      /* the past, for the delay: delay_frames */
    uint64_t since;   /* the clock when it began to play; what lies before is silence */
    bl_ramp weight;   /* 1: it plays */
} bl_shifter_voice;

typedef struct bl_shifter_unit {
    bl_unit_base base;
    bl_vocoder low, high; /* of the partials below and above BL_SHIFTER_CROSSING */
    bl_pitch_tracker tracker;
    bl_splice_past past;
    bl_shifter_voice voices[BL_SHIFTER_VOICES];
    bl_vocoder_voices shift;
    /* The factors of the last steps, in turn: `low` plays so many steps later than `high` what it
       is told. */
    double (*factors)[BL_SHIFTER_VOICES];
    uint32_t factor_steps;
    uint32_t delay_frames; /* a power of two */
    float *dry[2];         /* the past of the inputs: low.ring frames */
    uint64_t clock;        /* frames since the reset */
    uint32_t quality;      /* in force, as keeps_formants */
    bool keeps_formants;
    bl_grain_marks marks;
    bl_ramp tone;                               /* 1: a tone is heard, whose formants can be kept */
    bl_ramp presence;                           /* 0 while these change */
    int32_t note;                               /* the last that was heard, 0 is a C */
    double semitone_smoothing, delay_smoothing; /* per BL_VOCODER_STEP, per frame */
} bl_shifter_unit;

/* The latency in High. Frames. [any] */
BL_INLINE uint32_t bl_shifter_latency(const bl_shifter_unit *shifter) BL_NONBLOCKING {
    return bl_vocoder_latency(&shifter->low);
}

/* Brings the quality and what becomes of the formants into force. [render, or idle] */
void bl_shifter_set_mode(bl_shifter_unit *shifter) BL_NONBLOCKING;

/* Puts the voices' intervals and delays where the parameters want them. [render, or idle] */
void bl_shifter_jump_to_targets(bl_shifter_unit *shifter) BL_NONBLOCKING;

/* The `process` of its kit. [render] */
void bl_shifter_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                        uint32_t frames) BL_NONBLOCKING;
