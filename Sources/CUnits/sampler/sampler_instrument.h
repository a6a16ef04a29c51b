/* An instrument: samples, and regions that say how keys play them. Read on the control thread from
   an SFZ file, a SoundFont or a single sound file, and not changed after that. */
#pragma once

#include "backline/arena.h"
#include "backline/attributes.h"

#include "base/swap_slot.h"
#include "sampler/sampler_region.h"
#include "sampler/sampler_remarks.h"
#include "sampler/sampler_stream.h"

enum {
    BL_REGIONS_LARGEST = 65536,
    /* The most that a key may start or release, and that a controller may start: their gates are
       looked at on the render thread. */
    BL_REGIONS_OF_KEY = 4096,
    BL_REGIONS_OF_CONTROLLER = 512,
    /* The most that one message looks at, of those whose gates are open. */
    BL_REGIONS_OF_MESSAGE = 512,
    BL_SAMPLER_DRUM_BANK = 128, /* of SoundFonts, the last */
    BL_SAMPLER_BANKS = 129,
    BL_SAMPLER_PROGRAMS = 128,
    BL_SAMPLER_PRESETS = BL_SAMPLER_BANKS * BL_SAMPLER_PROGRAMS /* the most of a file */
};

/* What of a region says at once that a message does not start it: a key's are a short list. */
typedef struct bl_gate {
    uint32_t place; /* of the region */
    uint8_t trigger, low_velocity, high_velocity, low_channel, high_channel;
    int8_t low_switch, high_switch; /* the keys of which the last chooses it; -1: any */
} bl_gate;
typedef struct bl_gates {
    const bl_gate *gates;
    uint32_t count;
} bl_gates;

/* The regions of one sound of the file. */
typedef struct bl_sampler_preset {
    const char *name;
    uint32_t bank, program;
    bl_gates by_key[BL_KEYS];        /* of the regions that a key starts or releases */
    bl_gates by_controller[BL_KEYS]; /* of those that a controller starts */
    bool is_switch[BL_KEYS];         /* the keys that choose among regions */
    int32_t switch_default;          /* -1: none */
} bl_sampler_preset;

/* A file beside the instrument's own that it consists of, or lacks. */
typedef struct bl_part_file {
    const char *path; /* in the arena */
    struct bl_part_file *next;
} bl_part_file;

typedef struct bl_sampler_instrument {
    bl_swapped swapped;
    bl_arena arena;
    uint64_t memory; /* bytes that its samples may take */
    bl_sample **samples;
    uint32_t sample_count, sample_capacity;
    bl_sample_streams *streams; /* NULL: all samples are in memory */
    bl_region *regions;
    uint32_t region_count;
    bl_sampler_preset *presets;
    uint32_t preset_count;
    /* Which of them each bank and program plays. */
    uint16_t chosen[BL_SAMPLER_BANKS][BL_SAMPLER_PROGRAMS];
    bool has_drums; /* a preset of the drum bank */
    /* Seconds that it may sound after the last key: the longest release to -60 dB, and the longest
       sample that plays to its end whatever the keys do. */
    double release, rest;
    const char *key_names[BL_KEYS]; /* as the file labels them; NULL: it does not */
    float controllers[BL_KEYS];     /* 0 to 127, as the file sets them; below 0: it does not */
    /* The render thread's own: how often each region's turn has come. */
    uint32_t *turns;
    bl_remarks remarks; /* what was left out */
    bl_part_file *files;
    void *pool; /* of a SoundFont's samples */
} bl_sampler_instrument;

/* Reads a file by the suffix of its name: .sfz, .sf2, else a sound file. The samples take `memory`
   bytes at most. On failure NULL, and `message` names the line or the chunk, and the reason.
   [control] */
bl_sampler_instrument *bl_sampler_instrument_read(const char *path, uint64_t memory, char *message,
                                                  size_t message_size);
void bl_sampler_instrument_destroy(void *object);

/* The readers of each kind of file fill an instrument that is zeroed; false and a message where
   they fail. [control] */
bool bl_sfz_read(bl_sampler_instrument *instrument, const char *path, char *message,
                 size_t message_size);
bool bl_soundfont_read(bl_sampler_instrument *instrument, const char *path, char *message,
                       size_t message_size);

/* Reads the samples of the files that the instrument's samples name, after its regions; false and a
   message where that fails. [control] */
bool bl_sampler_instrument_load(bl_sampler_instrument *instrument, char *message,
                                size_t message_size);

/* For the readers: a sample that the instrument owns from here on; false when memory is short. */
bool bl_sampler_instrument_own(bl_sampler_instrument *instrument, bl_sample *sample);
/* Fills a preset's tables with the regions from `first` on; false when memory is short. */
bool bl_sampler_instrument_index(bl_sampler_instrument *instrument, bl_sampler_preset *preset,
                                 uint32_t first, uint32_t count);
/* Notes a file that the instrument consists of, or lacks; `path` stays. */
void bl_sampler_instrument_note(bl_sampler_instrument *instrument, const char *path);
/* Notes what is left out: of one kind, the first is told, and the others are counted. */
__attribute__((format(printf, 3, 4))) void
bl_sampler_instrument_warn(bl_sampler_instrument *instrument, const char *kind, const char *format,
                           ...);

/* Whether a message of a channel, 1 to 16, may start the region. `triggers` has a bit for each that
   the message is; `last_switch` is -1 where no key has chosen yet. [render] */
BL_INLINE bool bl_gate_is_open(const bl_gate *gate, uint32_t triggers, uint32_t channel,
                               uint32_t velocity, int32_t last_switch) BL_NONBLOCKING {
    return (triggers >> gate->trigger & 1) != 0 && velocity >= gate->low_velocity &&
           velocity <= gate->high_velocity && channel >= gate->low_channel &&
           channel <= gate->high_channel &&
           (gate->low_switch < 0 ||
            (last_switch >= gate->low_switch && last_switch <= gate->high_switch));
}

/* The preset of a bank and program. [render] */
BL_INLINE const bl_sampler_preset *
bl_sampler_instrument_preset(const bl_sampler_instrument *instrument, uint32_t bank,
                             uint32_t program) BL_NONBLOCKING {
    return &instrument->presets[instrument->chosen[bank][program]];
}
