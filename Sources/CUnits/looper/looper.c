/* Looper: records a loop from the first press to the second, plays it, and layers more on it. */
#include "looper/looper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/decibels.h"

static const char *const grids[] = {"Off", "Beat", "Bar", NULL};
static const char *const states[] = {"Empty",       "Recording", "Playing",
                                     "Overdubbing", "Stopped",   NULL};

#define BUTTON(id, name, rank) BL_BUTTON(id, name, rank, .value_strings = bl_off_on)
#define FADER(id, name, rank) BL_KNOB(id, name, DECIBELS, LINEAR, BL_FADER_MINIMUM, 12, 0, rank)

static const bl_parameter_info parameters[BL_LOOPER_PARAMETER_COUNT] = {
    [BL_LOOPER_RECORD] = BUTTON("record", "Record", 1),
    [BL_LOOPER_OVERDUB] = BUTTON("overdub", "Overdub", 2),
    [BL_LOOPER_PLAY] = BUTTON("play", "Play", 3),
    [BL_LOOPER_ONCE] = BUTTON("once", "Play Once", 10),
    [BL_LOOPER_STOP] = BUTTON("stop", "Stop", 4),
    [BL_LOOPER_REVERSE] = BUTTON("reverse", "Reverse", 11),
    [BL_LOOPER_HALF] = BUTTON("half", "Half Length", 12),
    [BL_LOOPER_DOUBLE] = BUTTON("double", "Double Length", 13),
    [BL_LOOPER_UNDO] = BUTTON("undo", "Undo", 5),
    [BL_LOOPER_REDO] = BUTTON("redo", "Redo", 6),
    [BL_LOOPER_CLEAR] = BUTTON("clear", "Clear", 7),
    [BL_LOOPER_LEVEL] = FADER("level", "Level", 8),
    [BL_LOOPER_DRY] = FADER("dry", "Dry", 9),
    /* The level at which an overdub keeps the loop below the new sound. */
    [BL_LOOPER_FEEDBACK] = BL_KNOB("feedback", "Feedback", PERCENT, LINEAR, 0, 100, 100, 14),
    [BL_LOOPER_QUANTISE] = BL_CHOICE("quantise", "Quantise", grids, 0, 15),
    /* The memory of all layers together; read when the unit is allocated. */
    [BL_LOOPER_MEMORY] =
        BL_SETTING("memory", "Memory", SECONDS, LOGARITHMIC, 10, BL_LOOPER_LONGEST, 120, 16),
    [BL_LOOPER_STATE] = BL_READING("state", "State", INDEXED, 0, BL_LOOPER_STATE_COUNT - 1, 0,
                                   .value_strings = states),
    [BL_LOOPER_POSITION] = BL_READING("position", "Position", SECONDS, 0, BL_LOOPER_LONGEST, 0),
    /* The length of the loop; during a recording, its length so far. */
    [BL_LOOPER_LENGTH] = BL_READING("length", "Length", SECONDS, 0, BL_LOOPER_LONGEST, 0),
    [BL_LOOPER_LAYERS] = BL_READING("layers", "Layers", GENERIC, 0, BL_LOOPER_MOST_LAYERS, 0),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Free", {BL_LOOPER_QUANTISE, BL_LOOPER_OFF}),
    BL_PRESET("On the Beat", {BL_LOOPER_QUANTISE, BL_LOOPER_BEAT}),
    BL_PRESET("On the Bar", {BL_LOOPER_QUANTISE, BL_LOOPER_BAR}),
    BL_PRESET("Under the Voice", {BL_LOOPER_LEVEL, -6}),
    BL_PRESET("Fading Layers", {BL_LOOPER_FEEDBACK, 75}),
    BL_PRESET("Replace", {BL_LOOPER_FEEDBACK, 0}),
};

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_looper_unit *looper = (bl_looper_unit *)unit;
    bl_looper_begin_change(looper);
    bl_looper_clear(looper);
    if (looper->origin > 0) {
        looper->layers[1] = (bl_loop_layer){0, looper->origin, 0, looper->origin, 1};
        looper->layer_count = 1;
        looper->target = (bl_loop_head){1, 0, looper->origin, 1};
        looper->state = BL_LOOPER_STOPPED;
    }
    bl_looper_publish(looper);
    looper->current = looper->outgoing = (bl_loop_head){0};
    looper->fade_left = 0;
    looper->pending = BL_LOOPER_BUTTON_COUNT;
    looper->place = 0;
    memset(looper->history, 0,
           (size_t)looper->base.output_channel_count * looper->fade * sizeof(float));
}

static bl_status prepare(bl_unit *unit) {
    bl_looper_unit *looper = (bl_looper_unit *)unit;
    double rate = looper->base.sample_rate;
    uint32_t channels = looper->base.output_channel_count;
    float *loop = bl_loop_file_samples(&looper->file, rate, &looper->origin);
    looper->fade = (uint32_t)(BL_LOOPER_FADE * rate);
    looper->tape_frames =
        (size_t)((double)looper->base.parameters[BL_LOOPER_MEMORY].target * rate) + looper->fade +
        looper->origin;
    size_t frames = looper->tape_frames + looper->fade;
    looper->tape = bl_kit_memory(unit, frames * channels, sizeof(float));
    for (uint32_t channel = 0; looper->tape != NULL && loop != NULL && channel < channels;
         channel += 1) {
        uint32_t from = channel < looper->file.channels ? channel : looper->file.channels - 1;
        memcpy(looper->tape + channel * looper->tape_frames, loop + (size_t)from * looper->origin,
               looper->origin * sizeof(float));
    }
    free(loop);
    if (looper->tape == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    looper->peak_frames = looper->tape_frames / BL_LOOPER_PEAKS + 1;
    bl_looper_measure(looper);
    looper->history = looper->tape + looper->tape_frames * channels;
    return BL_OK;
}

static void destroy(bl_unit *unit) { bl_loop_file_close(&((bl_looper_unit *)unit)->file); }

static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    return index == 0 ? bl_looper_open((bl_looper_unit *)unit, value, message, message_size)
                      : BL_ERROR_NO_SUCH_ELEMENT;
}

static bl_status save_data(bl_unit *unit, uint32_t index, const bl_data_writer *writer,
                           char *message, size_t message_size) {
    const bl_looper_unit *looper = (const bl_looper_unit *)unit;
    (void)index;
    /* Without its memory the unit saves its file's loop. */
    return looper->base.sample_rate > 0 ? bl_looper_save(looper, writer, message, message_size)
                                        : BL_OK;
}

static float value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const bl_looper_unit *looper = (const bl_looper_unit *)unit;
    bool is_recording = looper->state == BL_LOOPER_RECORDING;
    double rate = looper->base.sample_rate > 0 ? looper->base.sample_rate : 1;
    switch (address) {
    case BL_LOOPER_STATE: return (float)looper->state;
    case BL_LOOPER_POSITION:
        return (float)((is_recording ? looper->recorded : looper->target.position) / rate);
    case BL_LOOPER_LENGTH:
        return (float)((is_recording ? looper->recorded : looper->target.length) / rate);
    case BL_LOOPER_LAYERS: return (float)(int32_t)looper->target.layer;
    default: return bl_kit_value(unit, address);
    }
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    (void)io;
    bl_kit_apply(unit, event);
    if (event->parameter.address < BL_LOOPER_BUTTON_COUNT && event->parameter.value >= 0.5f) {
        bl_looper_press((bl_looper_unit *)unit, (uint32_t)event->parameter.address);
    }
}

static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    bl_beat_line_follow(&((bl_looper_unit *)unit)->line, io, true, base->quarter,
                        base->sample_rate);
}

BL_KIT(bl_looper_unit, .process = bl_looper_process, .change = change, .cycle = cycle,
       .prepare = prepare, .reset = reset, .destroy = destroy, .value = value)

static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) BL_NONBLOCKING {
    (void)index;
    return bl_looper_fill_waveform((const bl_looper_unit *)unit, values);
}

static const bl_telemetry_info telemetry[] = {
    {"loop", "Loop", BL_TELEMETRY_CURVE, BL_LOOPER_COLUMNS}};

/* A loop plays until it is stopped. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    bl_looper_state state = ((const bl_looper_unit *)unit)->state;
    return state == BL_LOOPER_EMPTY || state == BL_LOOPER_STOPPED ? 0 : INFINITY;
}

static const bl_channel_capability capabilities[] = {{1, 1}, {2, 2}};
static const bl_property_info properties[] = {{"file", "Loop", BL_PROPERTY_DATA_FILE, 0}};

const bl_unit_descriptor bl_looper = {
    BL_EFFECT('l', 'o', 'o', 'p'),
    .name = "Looper",
    BL_TAGS("Time", "Guitar", "Voice", "Loop"),
    .summary =
        "Records what you play from one press to the next, repeats it, and layers more on it",
    BL_CHANNEL_CAPABILITIES,
    BL_FACTORY_PRESETS,
    BL_PROPERTIES,
    BL_TELEMETRY,
    .tail_time = tail_time,
    .save_data = save_data,
};
