/* Plays the unit as a host does, in short cycles and in long ones, and checks the duties of every
   unit: the same sound and MIDI however time is cut, and no NaN or infinity. Add your own checks.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backline/unit.h"

enum { FRAMES = 48000, CHANNELS = 2, LONGEST = 1024 };
static float input[CHANNELS][FRAMES], first[CHANNELS][FRAMES], second[CHANNELS][FRAMES];

/* What feeds every input bus. */
static bl_status pull(void *context, uint32_t flags, const bl_timestamp *timestamp, uint32_t frames,
                      uint32_t bus, bl_buffers *buffers) BL_NONBLOCKING {
    (void)context, (void)flags, (void)bus;
    for (uint32_t channel = 0; channel < buffers->channel_count; channel += 1) {
        memcpy(buffers->channels[channel], input[channel] + timestamp->sample_time,
               frames * sizeof(float));
    }
    return BL_OK;
}

/* The MIDI that the unit sends, as bytes, each message after its time, cable and length. */
typedef struct midi_log {
    size_t size;
    uint8_t bytes[1 << 16];
} midi_log;
static midi_log first_midi, second_midi;

static void append(midi_log *log, const void *bytes, size_t size) {
    if (size <= sizeof log->bytes - log->size) {
        memcpy(log->bytes + log->size, bytes, size);
        log->size += size;
    }
}

static bl_status keep_midi(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                           const uint8_t *bytes) BL_NONBLOCKING {
    midi_log *log = (midi_log *)context;
    append(log, &sample_time, sizeof sample_time);
    append(log, &cable, sizeof cable);
    append(log, &length, sizeof length);
    append(log, bytes, length);
    return BL_OK;
}

/* A second in cycles of `cycle` frames; a key goes down at frame 4801 and up at 24001. */
static void play(const bl_unit_descriptor *descriptor, uint32_t cycle,
                 float output[CHANNELS][FRAMES], midi_log *log) {
    log->size = 0;
    uint32_t counts[64];
    for (int bus = 0; bus < 64; bus += 1) {
        counts[bus] = CHANNELS;
    }
    bl_render_configuration configuration = {.sample_rate = 48000,
                                             .maximum_frames = LONGEST,
                                             .input_bus_count = descriptor->input_bus_count,
                                             .output_bus_count = descriptor->output_bus_count,
                                             .input_channel_counts = counts,
                                             .output_channel_counts = counts};
    bl_unit *unit = descriptor->create(descriptor);
    if (unit == NULL || descriptor->allocate_render_resources(unit, &configuration) != BL_OK) {
        printf("FAILED: the unit does not take two channels at 48 kHz\n");
        exit(1);
    }
    bl_render_host host = {
        .size = sizeof host, .context = log, .pull_input = pull, .send_midi = keep_midi};
    for (uint32_t frame = 0; frame < FRAMES;) {
        uint32_t frames = cycle < FRAMES - frame ? cycle : FRAMES - frame;
        bl_event keys[2] = {
            {.sample_time = 4801, .type = BL_EVENT_MIDI, .midi = {0, 3, {0x90, 69, 100}}},
            {.sample_time = 24001, .type = BL_EVENT_MIDI, .midi = {0, 3, {0x80, 69, 0}}},
        };
        const bl_event *events = NULL;
        for (int key = 1; key >= 0; key -= 1) {
            if (keys[key].sample_time >= frame && keys[key].sample_time < frame + frames) {
                keys[key].next = events;
                events = &keys[key];
            }
        }
        float *pointers[CHANNELS];
        for (int channel = 0; channel < CHANNELS; channel += 1) {
            pointers[channel] = output[channel] + frame;
        }
        bl_buffers buffers = {descriptor->output_bus_count > 0 ? CHANNELS : 0, pointers};
        bl_timestamp timestamp = {frame};
        if (descriptor->render(unit, 0, &timestamp, frames, 0, &buffers, events, &host) != BL_OK) {
            printf("FAILED: the unit does not render\n");
            exit(1);
        }
        for (uint32_t channel = 0; channel < buffers.channel_count; channel += 1) {
            /* The unit may have answered with memory of its own. */
            memmove(output[channel] + frame, buffers.channels[channel], frames * sizeof(float));
        }
        frame += frames;
    }
    descriptor->deallocate_render_resources(unit);
    descriptor->destroy(unit);
}

/* A unit that hangs would never let anything else say so. */
static void give_up(int signal) {
    static const char text[] = "FAILED: time is up; does it hang? (make test TIME_LIMIT=60)\n";
    (void)signal;
    _exit(write(STDOUT_FILENO, text, sizeof text - 1) < 0 ? 2 : 1);
}

int main(int count, char **arguments) {
    if (count != 3) {
        printf("usage: test LIBRARY SECONDS\n");
        return 1;
    }
    signal(SIGALRM, give_up);
    alarm((unsigned)atoi(arguments[2]));
    void *library = dlopen(arguments[1], RTLD_NOW);
    void *symbol = library != NULL ? dlsym(library, BL_UNIT_LIBRARY_SYMBOL) : NULL;
    if (symbol == NULL) {
        printf("FAILED: %s\n", dlerror());
        return 1;
    }
    const bl_unit_library *(*entry)(void);
    memcpy(&entry, &symbol, sizeof entry);
    const bl_unit_descriptor *descriptor = entry()->units[0];

    uint32_t noise = 1;
    for (int frame = 0; frame < FRAMES; frame += 1) {
        for (int channel = 0; channel < CHANNELS; channel += 1) {
            noise = noise * 1664525 + 1013904223;
            input[channel][frame] = (float)(int32_t)noise / 2147483648.0f;
        }
    }
    play(descriptor, LONGEST, first, &first_midi);
    const uint32_t cycles[] = {1, 17, 64, 480};
    for (unsigned index = 0; index < sizeof cycles / sizeof cycles[0]; index += 1) {
        play(descriptor, cycles[index], second, &second_midi);
        if (memcmp(first, second, sizeof first) != 0) {
            printf("FAILED: cycles of %u frames sound otherwise than longer ones\n", cycles[index]);
            return 1;
        }
        if (first_midi.size != second_midi.size ||
            memcmp(first_midi.bytes, second_midi.bytes, first_midi.size) != 0) {
            printf("FAILED: cycles of %u frames send other MIDI than longer ones\n", cycles[index]);
            return 1;
        }
    }
    float peak = 0;
    for (int frame = 0; frame < FRAMES; frame += 1) {
        if (!isfinite(first[0][frame])) {
            printf("FAILED: frame %d is NaN or infinite\n", frame);
            return 1;
        }
        peak = fmaxf(peak, fabsf(first[0][frame]));
    }
    if (peak == 0 && first_midi.size == 0) {
        printf("FAILED: the unit is silent\n");
        return 1;
    }
    printf("%s: passed, with a peak of %.3f and %zu bytes of MIDI\n", descriptor->name, peak,
           first_midi.size);
    return 0;
}
