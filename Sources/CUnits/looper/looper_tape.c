/* The looper's memory: reading its layers, and writing them. */
#include "looper/looper.h"

#include <math.h>

/* The most unfinished layers above a finished one: each is searched in turn for a frame. */
#define MOST_DEPTH 8

static float *frame_of(const bl_looper_unit *looper, uint32_t channel,
                       size_t frame) BL_NONBLOCKING {
    return looper->tape + channel * looper->tape_frames + frame;
}

/* The index of a position among the frames of the layer, from `start` on. */
static uint32_t order_of(const bl_loop_layer *layer, uint32_t position) BL_NONBLOCKING {
    uint32_t way = layer->step > 0 ? position + layer->period - layer->start
                                   : layer->start + layer->period - position;
    return way >= layer->period ? way - layer->period : way;
}

static float read(const bl_looper_unit *looper, uint32_t channel, uint32_t number,
                  uint32_t position, uint32_t length) BL_NONBLOCKING;

/* Reads a layer's frame, or that of the layer below if it is missing. */
BL_LOOPER_UNSYNCHRONISED
static float read_layer(const bl_looper_unit *looper, uint32_t channel, uint32_t number,
                        uint32_t position) BL_NONBLOCKING {
    const bl_loop_layer *layer = &looper->layers[number];
    if (order_of(layer, position) < layer->covered) {
        return *frame_of(looper, channel, layer->offset + position);
    }
    return number > 1 ? read(looper, channel, number - 1, position, layer->period) : 0;
}

/* Reads a frame. A loop shorter than its layer fades, at its end, into the layer's own end, which
   leads to its start. */
static float read(const bl_looper_unit *looper, uint32_t channel, uint32_t number,
                  uint32_t position, uint32_t length) BL_NONBLOCKING {
    uint32_t period = looper->layers[number].period;
    uint32_t place = position < period ? position : position % period;
    float sample = read_layer(looper, channel, number, place);
    if (length < period && position + looper->fade >= length) {
        float share = (float)(int32_t)(position + looper->fade - length + 1) /
                      (float)(int32_t)(looper->fade + 1);
        float end = read_layer(looper, channel, number, position + period - length);
        sample = bl_crossfade_mix(sample, end, share, BL_CORRELATED);
    }
    return sample;
}

float bl_looper_read(const bl_looper_unit *looper, uint32_t channel,
                     const bl_loop_head *head) BL_NONBLOCKING {
    return head->layer == 0 ? 0 : read(looper, channel, head->layer, head->position, head->length);
}

void bl_loop_advance(bl_loop_head *head) BL_NONBLOCKING {
    if (head->layer == 0) {
        return;
    }
    if (head->step > 0) {
        head->position = head->position + 1 < head->length ? head->position + 1 : 0;
    } else {
        head->position = head->position > 0 ? head->position - 1 : head->length - 1;
    }
}

/* Updates the peak for a written frame; the first frame of a part clears it. */
static void note_peak(bl_looper_unit *looper, size_t frame, float sample) BL_NONBLOCKING {
    float *peak = &looper->peaks[frame / looper->peak_frames];
    *peak = frame % looper->peak_frames == 0 ? fabsf(sample) : fmaxf(*peak, fabsf(sample));
}

void bl_looper_measure(bl_looper_unit *looper) {
    for (size_t frame = 0; frame < looper->origin; frame += 1) {
        note_peak(looper, frame, *frame_of(looper, 0, frame));
    }
}

/* The highest peak between two frames of the tape. */
static float highest(const bl_looper_unit *looper, size_t first, size_t last) BL_NONBLOCKING {
    float peak = 0;
    for (size_t part = first / looper->peak_frames; part <= last / looper->peak_frames; part += 1) {
        peak = fmaxf(peak, looper->peaks[part]);
    }
    return peak;
}

uint32_t bl_looper_fill_waveform(const bl_looper_unit *looper, float *values) BL_NONBLOCKING {
    bool is_recording = looper->state == BL_LOOPER_RECORDING;
    const bl_loop_layer *top = &looper->layers[looper->target.layer];
    size_t offset = is_recording ? looper->origin : top->offset;
    size_t length = is_recording ? looper->recorded : top->period;
    if (length == 0) {
        return 0;
    }
    for (uint32_t column = 0; column < BL_LOOPER_COLUMNS; column += 1) {
        size_t first = offset + length * column / BL_LOOPER_COLUMNS;
        size_t after = offset + length * (column + 1) / BL_LOOPER_COLUMNS;
        values[column] = highest(looper, first, after > first ? after - 1 : first);
    }
    /* Missing frames of a layer are read from the one below. */
    for (uint32_t number = looper->target.layer;
         !is_recording && number > 1 &&
         looper->layers[number].covered < looper->layers[number].period;
         number -= 1) {
        const bl_loop_layer *below = &looper->layers[number - 1];
        for (uint32_t column = 0; column < BL_LOOPER_COLUMNS; column += 1) {
            size_t first = below->offset + length * column / BL_LOOPER_COLUMNS % below->period;
            values[column] = fmaxf(values[column], highest(looper, first, first));
        }
    }
    return BL_LOOPER_COLUMNS;
}

/* The input one seam ago. */
static float late(const bl_looper_unit *looper, uint32_t channel) BL_NONBLOCKING {
    return looper->history[channel * looper->fade + looper->place];
}

/* Writes the first layer, which starts with the input before the press; its last frames fade into
   that. */
static void write_recording(bl_looper_unit *looper) BL_NONBLOCKING {
    uint32_t channels = looper->base.output_channel_count;
    if (looper->state == BL_LOOPER_RECORDING) {
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            *frame_of(looper, channel, looper->origin + looper->recorded) = late(looper, channel);
        }
        note_peak(looper, looper->origin + looper->recorded, late(looper, 0));
        looper->recorded += 1;
    } else if (looper->tail > 0) {
        uint32_t done = looper->fade - looper->tail;
        float share = (float)(int32_t)(done + 1) / (float)(int32_t)(looper->fade + 1);
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            float sample = late(looper, channel);
            float before = *frame_of(looper, channel, looper->origin + done);
            *frame_of(looper, channel, looper->origin + looper->layers[1].period + done) =
                bl_crossfade_mix(sample, before, share, BL_CORRELATED);
        }
        looper->tail -= 1;
    }
}

static void write_overdub(bl_looper_unit *looper, float feedback) BL_NONBLOCKING {
    bl_loop_writer *writer = &looper->writer;
    bl_loop_layer *layer = &looper->layers[writer->head.layer];
    uint32_t position = writer->head.position;
    uint32_t place = position < layer->period ? position : position % layer->period;
    float gain = (float)(int32_t)writer->gain / (float)(int32_t)looper->fade;
    float kept = 1 + gain * (feedback - 1);
    for (uint32_t channel = 0; channel < looper->base.output_channel_count; channel += 1) {
        float below = read_layer(looper, channel, writer->head.layer, place);
        *frame_of(looper, channel, layer->offset + place) =
            kept * below + gain * late(looper, channel);
    }
    note_peak(looper, layer->offset + place, *frame_of(looper, 0, layer->offset + place));
    if (order_of(layer, place) == layer->covered) {
        layer->covered += 1;
    }
    bl_loop_advance(&writer->head);
    if (writer->is_on) {
        writer->gain += writer->gain < looper->fade;
    } else if (writer->hold > 0) {
        writer->hold -= 1;
        writer->gain += writer->gain < looper->fade;
    } else if (writer->gain > 0) {
        writer->gain -= 1;
    } else if (layer->covered == layer->period) {
        writer->head.layer = 0;
    }
}

void bl_looper_write(bl_looper_unit *looper, float feedback) BL_NONBLOCKING {
    write_recording(looper);
    if (looper->writer.head.layer != 0) {
        write_overdub(looper, feedback);
    }
}

/* Whether the writer still follows the loop, so that an overdub can continue in its layer. */
static bool follows(const bl_looper_unit *looper, const bl_loop_head *start) BL_NONBLOCKING {
    const bl_loop_head *head = &looper->writer.head;
    return head->layer == start->layer && head->position == start->position &&
           head->length == start->length && head->step == start->step;
}

/* The most layers to be searched for a frame. */
static uint32_t depth(const bl_looper_unit *looper, uint32_t number) BL_NONBLOCKING {
    uint32_t count = 1;
    while (looper->layers[number].covered < looper->layers[number].period) {
        number -= 1;
        count += 1;
    }
    return count;
}

bool bl_looper_punch_in(bl_looper_unit *looper) BL_NONBLOCKING {
    bl_loop_writer *writer = &looper->writer;
    bl_loop_head start = looper->target;
    uint32_t back = start.step > 0 ? start.length - looper->fade : looper->fade;
    start.position = (uint32_t)(((uint64_t)start.position + back) % start.length);
    const bl_loop_layer *top = &looper->layers[start.layer];
    size_t end = top->offset + top->period;
    bool has_room = start.layer < BL_LOOPER_MOST_LAYERS &&
                    start.length <= looper->tape_frames - end &&
                    depth(looper, start.layer) < MOST_DEPTH;
    bool resumes = follows(looper, &start) && (writer->gain > 0 || writer->hold > 0 || !has_room);
    if (!resumes && !has_room && top->covered < top->period) {
        return false;
    }
    if (!resumes && has_room) {
        looper->layer_count = start.layer + 1;
        looper->layers[looper->layer_count] =
            (bl_loop_layer){end, start.length, start.position, 0, start.step};
        looper->target.layer = start.layer = looper->layer_count;
    }
    if (!resumes) {
        *writer = (bl_loop_writer){.head = start};
    }
    writer->is_on = true;
    return true;
}

void bl_looper_punch_out(bl_looper_unit *looper) BL_NONBLOCKING {
    looper->writer.is_on = false;
    looper->writer.hold = looper->fade;
}
