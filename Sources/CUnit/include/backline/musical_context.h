/* Musical time and transport of a cycle. */
#ifndef BACKLINE_MUSICAL_CONTEXT_H
#define BACKLINE_MUSICAL_CONTEXT_H

#include <stdint.h>

/* Tempo, metre and beats. The tempo counts the metre's beats; the first beat is 0. */
typedef struct bl_musical_context {
    double tempo;                       /* beats per minute; above 0 */
    double time_signature_numerator;    /* beats per bar */
    int32_t time_signature_denominator; /* 4 if a beat is a quarter note */
    double beat_position;         /* beats since the start of the song; below 0 in a count-in */
    double downbeat_position;     /* beat_position of the start of the present bar */
    uint32_t frames_to_next_beat; /* 0 when the beat falls on the first frame */
} bl_musical_context;

enum {
    BL_TRANSPORT_MOVING = 1 << 0,
    /* The transport started, stopped or jumped since the cycle before. */
    BL_TRANSPORT_CHANGED = 1 << 1,
    BL_TRANSPORT_RECORDING = 1 << 2,
    /* The transport repeats from cycle_start_beat to cycle_end_beat. */
    BL_TRANSPORT_CYCLING = 1 << 3
};

/* The host's transport. */
typedef struct bl_transport_state {
    uint32_t flags;                          /* BL_TRANSPORT_… */
    int64_t sample_position;                 /* position in the song, frames */
    double cycle_start_beat, cycle_end_beat; /* valid while it cycles */
} bl_transport_state;

#endif
