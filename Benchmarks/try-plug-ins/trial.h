/* Trials of a plug-in as a unit. */
#ifndef BACKLINE_TRIAL_H
#define BACKLINE_TRIAL_H

#include "bridge/bridge.h"

typedef enum bl_verdict {
    BL_TRIAL_OK,
    BL_TRIAL_SILENT,
    BL_TRIAL_FAULT, /* NaN, infinity or absurd levels */
    BL_TRIAL_CRASH,
    BL_TRIAL_HANG,
    BL_TRIAL_REFUSED,
    BL_TRIAL_VERDICTS
} bl_verdict;

/* The result of a comparison with a bare loop of the plug-in's own functions. */
typedef enum bl_comparison {
    BL_COMPARISON_NONE, /* it has ports that the loop does not serve */
    BL_COMPARISON_DONE,
    BL_COMPARISON_NOT_REPEATABLE /* the loop does not play the same twice */
} bl_comparison;

/* The frames of a block and the number of blocks of the first rendering, at 48 kHz. */
#define BL_TRIAL_FRAMES 256
#define BL_TRIAL_BLOCKS 200
#define BL_TRIAL_LENGTH (BL_TRIAL_FRAMES * BL_TRIAL_BLOCKS)

typedef struct bl_trial {
    bl_verdict verdict;
    char activity[64]; /* what is under way, for a crash or a hang */
    char message[256];
    bl_comparison comparison;
    double difference; /* the largest between any two samples */
    uint32_t parameter_count, preset_count, latency;
    float heard[BL_MAXIMUM_CHANNELS][BL_TRIAL_LENGTH]; /* output 0 of the first rendering */
} bl_trial;

/* Creates, allocates, renders, resets, saves, restores and destroys a unit of the plug-in, and
   again in another format. Writes to `trial` as it goes. */
void bl_try(bl_bridge *bridge, const char *identifier, bl_trial *trial);

/* Returns a sample of the noise input of a channel. */
float bl_trial_noise(uint64_t place);

/* The largest difference of samples that count as equal. */
#define BL_TRIAL_NEAR 1e-5

/* Renders the same noise with the plug-in's own functions, in a loop of run() at the defaults, and
   compares the output with `heard`, which it replaces. Call it in a process of its own: some
   plug-ins share state between instances. */
void bl_trial_compare(bl_bridge *bridge, const char *identifier, bl_trial *trial);
/* Repeats the comparison for plug-ins that differ: with the bare loop's own output, and memory of
   other bytes, since some plug-ins read memory that they have not written. */
void bl_trial_repeat(bl_bridge *bridge, const char *identifier, bl_trial *trial);

/* Times 64 instances of a plug-in in a row against a bare loop of run(). */
int bl_time_chain(bl_bridge *bridge, const char *identifier);

#endif
