/* The player, augn/play/bkln: a sound file in a loop, in time.
 *
 * Channels: a mono file plays on every channel of the bus, a mono bus gets the mean of the file's;
 * otherwise channels match, extra ones are dropped and missing ones silent. Switched off it pauses,
 * and continues from there; played once without loop it switches itself off, on its first frame.
 */

/* Declares strdup. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/built_in.h"
#include "dsp/decibels.h"
#include "player/player_voice.h"

enum { LEVEL, PLAYING, LOOP, UNDERRUNS, POSITION, PARAMETER_COUNT };

typedef struct player {
    bl_unit_base base;
    bl_sound_file *file; /* owned while not allocated; else the newest stream owns it */
    char *path;          /* path of the newest file, or NULL [control] */
    /* Keeps a stream alive while another thread waits for it: in freewheel the process thread
       waits, while a file may change. */
    pthread_mutex_t waiting;
    bl_swap_slot streams;
    bl_player_voice voice;
    bl_player_voice outgoing; /* fades out the former stream, if any */
    uint32_t past_underruns;  /* underruns of former streams */
    uint32_t told_underruns;
    float *scratch; /* channels × maximum_frames, for `outgoing` */
    float *gains;   /* maximum_frames floats */
} player;

static void end_stream(void *stream) { bl_sound_file_close(bl_sound_stream_destroy(stream)); }

static bool create(bl_unit *unit) {
    player *self = (player *)unit;
    self->streams.destroy = end_stream;
    return pthread_mutex_init(&self->waiting, NULL) == 0;
}

static void destroy(bl_unit *unit) {
    bl_sound_file_close(((player *)unit)->file);
    free(((player *)unit)->path);
    pthread_mutex_destroy(&((player *)unit)->waiting);
}

static bl_sound_stream *start_stream(const player *self, bl_sound_file *file) {
    return bl_sound_stream_create(file, (uint32_t)(self->base.sample_rate + 0.5),
                                  self->base.output_channel_count, self->base.maximum_frames);
}

static void keep_path(player *self, const char *path) {
    free(self->path);
    self->path = strdup(path);
}

/* Warns of a channel mismatch. Before the unit is allocated, its bus is assumed to be stereo. */
static void warn_of_channels(const player *self, const bl_sound_file *file, const char *path,
                             char *message, size_t message_size) {
    uint32_t width = self->base.sample_rate > 0 ? self->base.output_channel_count : 2;
    if (file->channel_count > width && width > 1) {
        snprintf(message, message_size,
                 "%s has %u channels; an output of %u channels plays the first of them", path,
                 file->channel_count, width);
    }
}

/* While the unit plays, the new file is read ahead here, on the control thread, before the render
   thread receives it. */
static bl_status set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                              size_t message_size) {
    player *self = (player *)unit;
    if (index != 0) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    bl_sound_file *file = bl_sound_file_open(value, message, message_size);
    if (file == NULL) {
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    warn_of_channels(self, file, value, message, message_size);
    if (self->base.sample_rate == 0) {
        bl_sound_file_close(self->file);
        self->file = file;
        keep_path(self, value);
        return BL_OK;
    }
    bl_sound_stream *stream = start_stream(self, file);
    if (stream == NULL) {
        bl_sound_file_close(file);
        snprintf(message, message_size, "no memory or thread to play %s", value);
        return BL_ERROR_OUT_OF_MEMORY;
    }
    bl_sound_stream_wait(stream, stream->host_rate);
    if (bl_sound_stream_has_failed(stream)) {
        snprintf(message, message_size, "cannot resample %s", value);
        end_stream(stream);
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    pthread_mutex_lock(&self->waiting);
    bl_swap_slot_post(&self->streams, stream);
    pthread_mutex_unlock(&self->waiting);
    keep_path(self, value);
    return BL_OK;
}

/* Answers the view's request for the waveform. */
static bl_status receive_message(bl_unit *unit, const char *channel, const char *message,
                                 char *reply, size_t reply_size) {
    (void)message;
    const player *self = (const player *)unit;
    if (strcmp(channel, "waveform") != 0) {
        snprintf(reply, reply_size, "the player has no channel “%.40s”, but “waveform”", channel);
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    if (self->path == NULL) {
        snprintf(reply, reply_size, "the player has no file");
        return BL_ERROR_UNAVAILABLE;
    }
    return bl_sound_file_describe(self->path, reply, reply_size) ? BL_OK : BL_ERROR_UNAVAILABLE;
}

/* The played part of this lap, percent. */
static float position(const bl_player_voice *voice) BL_NONBLOCKING {
    uint64_t length = voice->seam - voice->lap_start;
    return voice->stream == NULL || length == 0
               ? 0
               : (float)(100 * (double)(voice->position - voice->lap_start) / (double)length);
}

static uint32_t count_underruns(const player *self) BL_NONBLOCKING {
    const bl_sound_stream *stream = self->voice.stream;
    return self->past_underruns + (stream != NULL ? stream->underruns : 0);
}

static float value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    const player *self = (const player *)unit;
    if (address == UNDERRUNS) {
        return (float)count_underruns(self);
    }
    return address == POSITION ? position(&self->voice) : bl_kit_value(unit, address);
}

static bool is_on(const player *self, uint32_t parameter) BL_NONBLOCKING {
    return self->base.parameters[parameter].target >= 0.5f;
}

static void finish(bl_unit *unit) {
    player *self = (player *)unit;
    bl_swap_slot_finish(&self->streams);
    if (self->streams.present.object != NULL) {
        self->file = bl_sound_stream_destroy(self->streams.present.object);
    }
    self->streams.present.object = self->voice.stream = NULL;
}

static bl_status prepare(bl_unit *unit) {
    player *self = (player *)unit;
    size_t frames = self->base.maximum_frames;
    self->scratch = bl_kit_memory(unit, frames * self->base.output_channel_count, sizeof(float));
    self->gains = bl_kit_memory(unit, frames, sizeof(float));
    if (bl_kit_memory_status(unit) != BL_OK) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    if (self->file != NULL) {
        self->streams.present.object = self->voice.stream = start_stream(self, self->file);
        if (self->voice.stream == NULL) {
            return BL_ERROR_OUT_OF_MEMORY;
        }
    }
    self->voice.position = 0;
    self->file = NULL;
    self->past_underruns = 0;
    return BL_OK;
}

static void retire_outgoing(player *self) BL_NONBLOCKING {
    if (self->streams.former != NULL) {
        self->past_underruns += self->outgoing.stream->underruns;
        bl_disk_thread_retire(&self->outgoing.stream->thread);
        bl_swap_slot_retire(&self->streams);
    }
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    player *self = (player *)unit;
    retire_outgoing(self);
    if (self->voice.stream != NULL && self->voice.position > 0) {
        bl_sound_stream_reset(self->voice.stream);
    }
    bl_player_voice_begin(&self->voice, self->voice.stream, is_on(self, PLAYING));
}

/* A new file starts at once on its first frame; the former one fades out under it. */
static void cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    player *self = (player *)unit;
    bl_log_underruns(io, count_underruns(self), &self->told_underruns);
    if (!bl_swap_slot_pop(&self->streams)) {
        return;
    }
    bl_swap_slot_swap(&self->streams);
    self->outgoing = self->voice;
    bl_player_voice_set_playing(&self->outgoing, false);
    if (bl_player_voice_is_silent(&self->outgoing)) {
        retire_outgoing(self);
    }
    bl_player_voice_begin(&self->voice, self->streams.present.object, self->voice.playing);
}

static void add_outgoing(player *self, float *const *channels, uint32_t offset,
                         uint32_t frames) BL_NONBLOCKING {
    if (self->streams.former == NULL) {
        return;
    }
    uint32_t count = self->base.output_channel_count;
    float *scratch[BL_MAXIMUM_CHANNELS];
    for (uint32_t channel = 0; channel < count; channel += 1) {
        scratch[channel] = self->scratch + (size_t)channel * self->base.maximum_frames;
    }
    bl_player_voice_render(&self->outgoing, is_on(self, LOOP), scratch, count, 0, frames);
    for (uint32_t channel = 0; channel < count; channel += 1) {
        float *samples = channels[channel] + offset;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            samples[frame] += scratch[channel][frame];
        }
    }
    if (bl_player_voice_is_silent(&self->outgoing)) {
        retire_outgoing(self);
    }
}

BL_VECTOR_CLONES
static void fill_gains(bl_ramp *level, float *BL_RESTRICT gains, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        gains[frame] = bl_fader_gain(bl_ramp_value(level, frame));
    }
    bl_ramp_advance(level, frames);
}

BL_VECTOR_CLONES
static void amplify(float *BL_RESTRICT samples, const float *BL_RESTRICT gains,
                    uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] *= gains[frame];
    }
}

BL_VECTOR_CLONES
static void scale(float *samples, float gain, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] *= gain;
    }
}

static void apply_level(player *self, float *const *channels, uint32_t offset,
                        uint32_t frames) BL_NONBLOCKING {
    bl_ramp *level = &self->base.parameters[LEVEL];
    if (level->remaining == 0 && level->target == 0) {
        return;
    }
    bool moving = bl_ramp_is_moving(level);
    fill_gains(level, self->gains, moving ? frames : 1);
    for (uint32_t channel = 0; channel < self->base.output_channel_count; channel += 1) {
        if (moving) {
            amplify(channels[channel] + offset, self->gains, frames);
        } else {
            scale(channels[channel] + offset, self->gains[0], frames);
        }
    }
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    player *self = (player *)unit;
    if (is_on(self, PLAYING) != self->voice.playing) {
        bl_player_voice_set_playing(&self->voice, !self->voice.playing);
    }
    bl_player_voice_render(&self->voice, is_on(self, LOOP), io->output,
                           self->base.output_channel_count, first_frame, frames);
    if (self->voice.ended && self->voice.playing) {
        bl_player_voice_set_playing(&self->voice, false);
        bl_ramp_set(&self->base.parameters[PLAYING], 0);
    }
    add_outgoing(self, io->output, first_frame, frames);
    apply_level(self, io->output, first_frame, frames);
    const bl_sound_stream *stream = self->voice.stream;
    bool has_failed = stream != NULL && bl_sound_stream_has_failed(stream);
    io->status = has_failed ? BL_ERROR_CANNOT_RENDER : BL_OK;
}

BL_KIT(player, .process = process, .cycle = cycle, .prepare = prepare, .finish = finish,
       .reset = reset, .create = create, .destroy = destroy, .value = value)

static void wait_until_ready(bl_unit *unit, uint32_t frames) {
    player *self = (player *)unit;
    pthread_mutex_lock(&self->waiting);
    void *streams[] = {self->streams.present.object, self->streams.former,
                       atomic_load(&self->streams.pending)};
    for (size_t index = 0; index < sizeof streams / sizeof streams[0]; index += 1) {
        if (streams[index] != NULL) {
            bl_sound_stream_wait(streams[index], frames);
        }
    }
    bl_swap_slot_collect(&self->streams);
    pthread_mutex_unlock(&self->waiting);
}

static const bl_bus_info output_busses[] = {{"output", 2, 0}};
static const bl_channel_capability capabilities[] = {{0, -1}};
static const bl_property_info properties[] = {{"file", "Sound File", BL_PROPERTY_PATH, 1}};
static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, BL_FADER_MINIMUM, 12, 0, 1),
    [PLAYING] = BL_PARAMETER_ROW("playing", "Playing", BOOLEAN, LINEAR, 0, 1, 1,
                                 BL_PARAMETER_STEPPED_FLAGS | BL_PARAMETER_MOVED_BY_UNIT, 2),
    [LOOP] = BL_SWITCH("loop", "Loop", 1, 3),
    /* How often the file's frames were too late to be played. */
    [UNDERRUNS] = BL_READING("underruns", "Underruns", GENERIC, 0, 1000000, 0),
    [POSITION] = BL_READING("position", "Position", PERCENT, 0, 100, 0),
};

const bl_unit_descriptor bl_player = {
    BL_BUILT_IN(BL_TYPE_GENERATOR, 'p', 'l', 'a', 'y'),
    .name = "Player",
    BL_TAGS("Sampler", "Loop", "Utility"),
    .summary = "Plays a sound file from the disk, in a seamless loop or once",
    .output_busses = output_busses,
    .output_bus_count = 1,
    BL_CHANNEL_CAPABILITIES,
    BL_PROPERTIES,
    .wait_until_ready = wait_until_ready,
    .receive_message = receive_message,
};
