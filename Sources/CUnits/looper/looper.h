/* The looper's parts: looper.c has table and life cycle, looper_buttons.c the response to presses,
 * looper_tape.c its memory, looper_render.c its sound, looper_file.c the file of its loop.
 *
 * All layers follow each other on one tape. The first is the recording; each overdub writes a new
 * layer, the layer below with the new sound added, so that undo is a step down and redo a step up.
 * A layer is written while it is played: frames that it does not have yet are read from the layer
 * below.
 *
 * The loop of a file is before all others, so that a reset restores it.
 *
 * The tape is written `fade` frames late, so that a seam can fade in before the press: nothing that
 * was played on the beat is lost.
 */
#pragma once

#include <stdatomic.h>

#include "base/beat_line.h"
#include "base/effect.h"
#include "dsp/crossfade.h"

enum {
    BL_LOOPER_RECORD,
    BL_LOOPER_OVERDUB,
    BL_LOOPER_PLAY,
    BL_LOOPER_ONCE,
    BL_LOOPER_STOP,
    BL_LOOPER_REVERSE,
    BL_LOOPER_HALF,
    BL_LOOPER_DOUBLE,
    BL_LOOPER_UNDO,
    BL_LOOPER_REDO,
    BL_LOOPER_CLEAR,
    BL_LOOPER_BUTTON_COUNT,
    BL_LOOPER_LEVEL = BL_LOOPER_BUTTON_COUNT,
    BL_LOOPER_DRY,
    BL_LOOPER_FEEDBACK,
    BL_LOOPER_QUANTISE,
    BL_LOOPER_MEMORY,
    BL_LOOPER_STATE,
    BL_LOOPER_POSITION,
    BL_LOOPER_LENGTH,
    BL_LOOPER_LAYERS,
    BL_LOOPER_PARAMETER_COUNT
};

typedef enum bl_looper_state {
    BL_LOOPER_EMPTY,
    BL_LOOPER_RECORDING,
    BL_LOOPER_PLAYING,
    BL_LOOPER_OVERDUBBING,
    BL_LOOPER_STOPPED,
    BL_LOOPER_STATE_COUNT
} bl_looper_state;

enum { BL_LOOPER_OFF, BL_LOOPER_BEAT, BL_LOOPER_BAR };

#define BL_LOOPER_MOST_LAYERS 64
/* Parts of the tape with measured peaks, and columns of the loop's waveform. */
#define BL_LOOPER_PEAKS 16384
#define BL_LOOPER_COLUMNS 256
/* The fade of a seam, seconds. */
#define BL_LOOPER_FADE 0.005
/* The longest loop, seconds. */
#define BL_LOOPER_LONGEST 600

typedef struct bl_loop_layer {
    size_t offset;   /* its first frame on the tape */
    uint32_t period; /* frames */
    /* The frames that are written: `covered` of them from `start` on, in steps of `step`. */
    uint32_t start, covered;
    int32_t step; /* 1 or -1 */
} bl_loop_layer;

/* A position in the loop that advances by one frame at a time. */
typedef struct bl_loop_head {
    uint32_t layer;            /* 0 for silence */
    uint32_t position, length; /* frames; lengths unlike the layer's period repeat or cut it */
    int32_t step;              /* 1 or -1 */
} bl_loop_head;

/* Writes an overdub, and then the rest of its layer. */
typedef struct bl_loop_writer {
    bl_loop_head head; /* layer 0: nothing to write */
    bool is_on;
    uint32_t hold; /* remaining frames at full gain after the end of the overdub */
    uint32_t gain; /* 0 to `fade` */
} bl_loop_writer;

/* The contents of a loop's file. [control] */
typedef struct bl_loop_file {
    float *samples; /* frames × channels, or NULL */
    uint32_t channels, frames, sample_rate;
} bl_loop_file;

typedef struct bl_looper_unit {
    bl_unit_base base;
    bl_loop_file file;
    float *tape;    /* output_channel_count × tape_frames */
    float *history; /* the last frames of the input: output_channel_count × fade */
    uint32_t place; /* index in the history */
    uint32_t fade;  /* frames of a seam */
    size_t tape_frames;
    /* The peaks of the tape's parts of `peak_frames` frames, for display. */
    float peaks[BL_LOOPER_PEAKS + 1];
    size_t peak_frames;
    uint32_t origin; /* frames of the file's loop, before which nothing is recorded */

    bl_looper_state state;
    uint32_t recorded;                               /* frames since the recording's start */
    uint32_t tail;                                   /* remaining frames of the recording's end */
    bl_loop_layer layers[BL_LOOPER_MOST_LAYERS + 1]; /* layer 0 is none */
    uint32_t layer_count;                            /* including those that redo can restore */
    bl_loop_writer writer;

    bl_loop_head target;            /* position of the loop */
    bl_loop_head current, outgoing; /* what plays; `outgoing` fades out for fade_left */
    uint32_t fade_left;
    bool plays_once;

    uint32_t pending; /* button that waits for its beat, or BL_LOOPER_BUTTON_COUNT */
    /* Musical time in this cycle. */
    bl_beat_line line;

    /* The loop for the control thread, which copies it while it plays. `version` is odd from before
       the loop changes until all of it is on the tape again; a copy between two reads of one even
       version is consistent. `published` is then the loop's head at its start, layer 0 for no
       loop. */
    _Atomic uint32_t version;
    bl_loop_head published;
} bl_looper_unit;

/* Marks a function that reads for the control thread what the render thread may be writing. The
   copy is thrown away if `version` has changed meanwhile, which ThreadSanitizer does not see. */
#define BL_LOOPER_UNSYNCHRONISED __attribute__((no_sanitize("thread")))

/* Reads the loop's file, if it exists, for the next allocation of the unit; on failure the old one
   stays. [control] */
bl_status bl_looper_open(bl_looper_unit *looper, const char *path, char *message,
                         size_t message_size);
/* Writes the loop, if any, as a WAV file of 32-bit floats. [control & allocated] */
bl_status bl_looper_save(const bl_looper_unit *looper, const bl_data_writer *writer, char *message,
                         size_t message_size);
/* Frames of the file at this sample rate, channels × frames; NULL if there are none or memory is
   short. [control] */
float *bl_loop_file_samples(const bl_loop_file *file, double sample_rate, uint32_t *frames);
/* [control] */
void bl_loop_file_close(bl_loop_file *file);
/* Marks the start of a change of the loop. [render] */
void bl_looper_begin_change(bl_looper_unit *looper) BL_NONBLOCKING;
/* Publishes the loop, if any, for the control thread, once all of it is on the tape. [render] */
void bl_looper_publish(bl_looper_unit *looper) BL_NONBLOCKING;

/* Acts on a button. [render] */
void bl_looper_press(bl_looper_unit *looper, uint32_t button) BL_NONBLOCKING;
/* Acts on the waiting button. [render] */
void bl_looper_press_pending(bl_looper_unit *looper) BL_NONBLOCKING;
/* Clears the loop. [render or idle] */
void bl_looper_clear(bl_looper_unit *looper) BL_NONBLOCKING;
/* Ends a recording, which then plays; drops one that is too short, and returns false. [render] */
bool bl_looper_close(bl_looper_unit *looper) BL_NONBLOCKING;
/* Frames from a frame of the cycle to the beat or bar for which a button waits. [render] */
uint32_t bl_looper_wait(const bl_looper_unit *looper, uint32_t frame) BL_NONBLOCKING;

/* Reads a frame of a channel at a head. [render] */
float bl_looper_read(const bl_looper_unit *looper, uint32_t channel,
                     const bl_loop_head *head) BL_NONBLOCKING;
/* Writes one recorded frame, played one seam earlier. [render] */
void bl_looper_write(bl_looper_unit *looper, float feedback) BL_NONBLOCKING;
/* Advances a head by a frame. [render] */
void bl_loop_advance(bl_loop_head *head) BL_NONBLOCKING;
/* Fills in the peaks of the loop, or of the recording so far, over BL_LOOPER_COLUMNS equal parts;
   returns the count. [render] */
uint32_t bl_looper_fill_waveform(const bl_looper_unit *looper, float *values) BL_NONBLOCKING;
/* Measures the peaks of the file's loop, which is on the tape. [control] */
void bl_looper_measure(bl_looper_unit *looper);
/* Starts or resumes an overdub at the target; false if there is no room. [render] */
bool bl_looper_punch_in(bl_looper_unit *looper) BL_NONBLOCKING;
void bl_looper_punch_out(bl_looper_unit *looper) BL_NONBLOCKING;

/* The kit's `process`. [render] */
void bl_looper_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                       uint32_t frames) BL_NONBLOCKING;
