/* The actions of the looper's buttons, and their times. */
#include <math.h>

#include "looper/looper.h"

/* Beats are computed in floating point: rounding must not move a press to the next frame. */
#define NEARLY_A_FRAME 1e-4

void bl_looper_clear(bl_looper_unit *looper) BL_NONBLOCKING {
    looper->state = BL_LOOPER_EMPTY;
    looper->recorded = looper->tail = looper->layer_count = 0;
    looper->writer = (bl_loop_writer){0};
    looper->target = (bl_loop_head){0};
    looper->plays_once = false;
}

bool bl_looper_close(bl_looper_unit *looper) BL_NONBLOCKING {
    uint32_t length = looper->recorded;
    if (length <= 2 * looper->fade) {
        bl_looper_clear(looper);
        return false;
    }
    looper->layers[1] = (bl_loop_layer){looper->origin + looper->fade, length, 0, length, 1};
    looper->layer_count = 1;
    looper->tail = looper->fade;
    looper->target = (bl_loop_head){1, 0, length, 1};
    looper->state = BL_LOOPER_PLAYING;
    return true;
}

/* Starts at the loop's start, or backwards at its end. */
static void start(bl_looper_unit *looper) BL_NONBLOCKING {
    bl_loop_head *target = &looper->target;
    target->position = target->step > 0 ? 0 : target->length - 1;
    looper->state = BL_LOOPER_PLAYING;
}

static void overdub(bl_looper_unit *looper) BL_NONBLOCKING {
    if (bl_looper_punch_in(looper)) {
        looper->state = BL_LOOPER_OVERDUBBING;
    }
}

static void press_record(bl_looper_unit *looper, bool goes_on) BL_NONBLOCKING {
    switch (looper->state) {
    case BL_LOOPER_EMPTY:
        looper->state = BL_LOOPER_RECORDING;
        looper->recorded = 0;
        break;
    case BL_LOOPER_RECORDING:
        if (bl_looper_close(looper) && goes_on) {
            overdub(looper);
        }
        break;
    case BL_LOOPER_OVERDUBBING:
        bl_looper_punch_out(looper);
        looper->state = BL_LOOPER_PLAYING;
        break;
    case BL_LOOPER_STOPPED:
        start(looper);
        overdub(looper);
        break;
    default: overdub(looper); break;
    }
    looper->plays_once = false;
}

/* Ends a recording or overdub; returns whether there is a loop. */
static bool finish(bl_looper_unit *looper) BL_NONBLOCKING {
    if (looper->state == BL_LOOPER_RECORDING) {
        return bl_looper_close(looper);
    }
    if (looper->state == BL_LOOPER_OVERDUBBING) {
        bl_looper_punch_out(looper);
        looper->state = BL_LOOPER_PLAYING;
    }
    return looper->state != BL_LOOPER_EMPTY;
}

/* Switches down or up by a layer, if there is one. */
static void step_layer(bl_looper_unit *looper, int32_t step) BL_NONBLOCKING {
    if (finish(looper)) {
        uint32_t layer = looper->target.layer + (uint32_t)step;
        looper->target.layer =
            layer > 0 && layer <= looper->layer_count ? layer : looper->target.layer;
    }
}

static void set_length(bl_looper_unit *looper, uint32_t length) BL_NONBLOCKING {
    looper->target.length = length;
    looper->target.position %= length;
}

static void act(bl_looper_unit *looper, uint32_t button) BL_NONBLOCKING {
    bl_looper_begin_change(looper);
    double longest = BL_LOOPER_LONGEST * looper->base.sample_rate;
    if (button == BL_LOOPER_RECORD || button == BL_LOOPER_OVERDUB) {
        press_record(looper, button == BL_LOOPER_OVERDUB);
    } else if (button == BL_LOOPER_CLEAR ||
               (button == BL_LOOPER_UNDO && looper->state == BL_LOOPER_RECORDING)) {
        bl_looper_clear(looper);
    } else if (button == BL_LOOPER_UNDO) {
        step_layer(looper, -1);
    } else if (button == BL_LOOPER_REDO) {
        step_layer(looper, 1);
    } else if (finish(looper)) {
        uint32_t length = looper->target.length;
        if (button == BL_LOOPER_PLAY || button == BL_LOOPER_ONCE) {
            start(looper);
            looper->plays_once = button == BL_LOOPER_ONCE;
        } else if (button == BL_LOOPER_STOP) {
            looper->state = BL_LOOPER_STOPPED;
        } else if (button == BL_LOOPER_REVERSE) {
            looper->target.step = -looper->target.step;
        } else if (button == BL_LOOPER_HALF && length / 2 > 2 * looper->fade) {
            set_length(looper, length / 2);
        } else if (button == BL_LOOPER_DOUBLE && 2.0 * length <= longest) {
            set_length(looper, length * 2);
        }
    }
}

void bl_looper_press(bl_looper_unit *looper, uint32_t button) BL_NONBLOCKING {
    bool waits = looper->base.parameters[BL_LOOPER_QUANTISE].target > 0 && button < BL_LOOPER_UNDO;
    bool is_again = looper->pending == button;
    looper->pending = waits && !is_again ? button : BL_LOOPER_BUTTON_COUNT;
    if (!waits) {
        act(looper, button);
    }
}

void bl_looper_press_pending(bl_looper_unit *looper) BL_NONBLOCKING {
    uint32_t button = looper->pending;
    looper->pending = BL_LOOPER_BUTTON_COUNT;
    act(looper, button);
}

/* The frames since the grid's last beat or bar: the host's while the transport moves, otherwise
   from the loop's start. */
static double frames_on_grid(const bl_looper_unit *looper, uint32_t frame,
                             bool is_bar) BL_NONBLOCKING {
    const bl_loop_head *target = &looper->target;
    const bl_beat_line *line = &looper->line;
    if (line->moves) {
        return (line->quarter - (is_bar ? line->downbeat : 0)) / line->per_frame + frame;
    }
    if (looper->state == BL_LOOPER_RECORDING) {
        return looper->recorded;
    }
    bool is_still = looper->state == BL_LOOPER_EMPTY || looper->state == BL_LOOPER_STOPPED;
    uint32_t played = target->step > 0 ? target->position : target->length - 1 - target->position;
    return is_still ? 0 : played;
}

uint32_t bl_looper_wait(const bl_looper_unit *looper, uint32_t frame) BL_NONBLOCKING {
    float quantise = looper->base.parameters[BL_LOOPER_QUANTISE].target;
    bool is_bar = quantise == BL_LOOPER_BAR;
    const bl_beat_line *line = &looper->line;
    double grid = (is_bar ? line->bar : line->beat) / line->per_frame;
    if (quantise == BL_LOOPER_OFF || line->has_own_tempo || grid <= 0) {
        return 0;
    }
    double now = frames_on_grid(looper, frame, is_bar);
    double left = ceil((now - NEARLY_A_FRAME) / grid) * grid - now;
    return left > NEARLY_A_FRAME ? (uint32_t)fmin(ceil(left - NEARLY_A_FRAME), 1e9) : 0;
}
