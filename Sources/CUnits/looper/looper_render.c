/* The sound of the looper. The output crossfades whenever the loop's position jumps; a jump during
   a crossfade waits until it has ended. */
#include "dsp/decibels.h"
#include "looper/looper.h"

static bool is_same(const bl_loop_head *a, const bl_loop_head *b) BL_NONBLOCKING {
    return a->layer == b->layer &&
           (a->layer == 0 ||
            (a->position == b->position && a->length == b->length && a->step == b->step));
}

/* The position to be heard: none while the loop does not play. */
static bl_loop_head wanted(const bl_looper_unit *looper) BL_NONBLOCKING {
    bool plays = looper->state == BL_LOOPER_PLAYING || looper->state == BL_LOOPER_OVERDUBBING;
    return plays ? looper->target : (bl_loop_head){0};
}

static void follow(bl_looper_unit *looper) BL_NONBLOCKING {
    bl_loop_head head = wanted(looper);
    if (looper->fade_left == 0 && !is_same(&head, &looper->current)) {
        looper->outgoing = looper->current;
        looper->current = head;
        looper->fade_left = looper->fade;
    }
}

static void advance(bl_looper_unit *looper) BL_NONBLOCKING {
    bl_loop_advance(&looper->current);
    if (looper->fade_left > 0) {
        bl_loop_advance(&looper->outgoing);
        looper->fade_left -= 1;
    }
    if (wanted(looper).layer != 0) {
        bl_loop_advance(&looper->target);
    }
    const bl_loop_head *target = &looper->target;
    uint32_t left = target->step > 0 ? target->length - target->position : target->position + 1;
    if (looper->plays_once && left == looper->fade) {
        looper->state = BL_LOOPER_STOPPED;
        looper->plays_once = false;
    }
    if (looper->state == BL_LOOPER_RECORDING &&
        looper->origin + looper->recorded + looper->fade == looper->tape_frames) {
        bl_looper_close(looper);
    }
}

/* Processes one frame of every channel. */
static void tick(bl_looper_unit *looper, float *const *input, float *const *output, uint32_t frame,
                 float level, float dry) BL_NONBLOCKING {
    float share = (float)(int32_t)looper->fade_left / (float)(int32_t)(looper->fade + 1);
    for (uint32_t channel = 0; channel < looper->base.output_channel_count; channel += 1) {
        float in = input[channel][frame];
        float loop = bl_looper_read(looper, channel, &looper->current);
        if (looper->fade_left > 0) {
            float out = bl_looper_read(looper, channel, &looper->outgoing);
            loop = bl_crossfade_mix(loop, out, share, BL_CORRELATED);
        }
        looper->history[channel * looper->fade + looper->place] = in;
        output[channel][frame] = dry * in + level * loop;
    }
    looper->place = looper->place + 1 < looper->fade ? looper->place + 1 : 0;
}

static void run(bl_looper_unit *looper, float *const *input, float *const *output, uint32_t first,
                uint32_t frames) BL_NONBLOCKING {
    bl_ramp *ramps = looper->base.parameters;
    bool moves =
        bl_ramp_is_moving(&ramps[BL_LOOPER_LEVEL]) || bl_ramp_is_moving(&ramps[BL_LOOPER_DRY]);
    float level = 0, dry = 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        if (moves || frame == 0) {
            level = bl_fader_gain(bl_ramp_value(&ramps[BL_LOOPER_LEVEL], frame));
            dry = bl_fader_gain(bl_ramp_value(&ramps[BL_LOOPER_DRY], frame));
        }
        float feedback = 0.01f * bl_ramp_value(&ramps[BL_LOOPER_FEEDBACK], frame);
        follow(looper);
        bl_looper_write(looper, feedback);
        tick(looper, input, output, first + frame, level, dry);
        advance(looper);
    }
    for (uint32_t index = BL_LOOPER_LEVEL; index <= BL_LOOPER_FEEDBACK; index += 1) {
        bl_ramp_advance(&ramps[index], frames);
    }
}

void bl_looper_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                       uint32_t frames) BL_NONBLOCKING {
    bl_looper_unit *looper = (bl_looper_unit *)unit;
    uint32_t end = first_frame + frames;
    while (first_frame < end) {
        uint32_t stretch = end - first_frame;
        if (looper->pending < BL_LOOPER_BUTTON_COUNT) {
            uint32_t wait = bl_looper_wait(looper, first_frame);
            stretch = wait > 0 && wait < stretch ? wait : stretch;
            if (wait == 0) {
                bl_looper_press_pending(looper);
            }
        }
        run(looper, io->input, io->output, first_frame, stretch);
        first_frame += stretch;
    }
    bl_looper_publish(looper);
}
