#include "urid.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "lv2_words.h"

#define MOST_URIS (1 << 16)
#define BUCKETS (1 << 12)

/* An entry is never freed or changed once it is in a bucket, so readers need no lock. */
typedef struct entry {
    struct entry *next;
    uint32_t urid;
    char uri[];
} entry;

static _Atomic(entry *) buckets[BUCKETS];
static _Atomic(const char *) texts[MOST_URIS];
static uint32_t count;
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

static uint32_t bucket_of(const char *uri) {
    uint32_t hash = 2166136261u;
    for (const char *byte = uri; *byte != 0; byte += 1) {
        hash = (hash ^ (unsigned char)*byte) * 16777619u;
    }
    return hash % BUCKETS;
}

static uint32_t find(uint32_t bucket, const char *uri) {
    const entry *place = atomic_load_explicit(&buckets[bucket], memory_order_acquire);
    while (place != NULL && strcmp(place->uri, uri) != 0) {
        place = place->next;
    }
    return place != NULL ? place->urid : 0;
}

static uint32_t add(uint32_t bucket, const char *uri) {
    size_t size = strlen(uri) + 1;
    entry *added = count + 1 < MOST_URIS ? malloc(sizeof *added + size) : NULL;
    if (added == NULL) {
        return 0;
    }
    count += 1;
    added->urid = count;
    added->next = atomic_load(&buckets[bucket]);
    memcpy(added->uri, uri, size);
    atomic_store_explicit(&texts[count], added->uri, memory_order_release);
    atomic_store_explicit(&buckets[bucket], added, memory_order_release);
    return count;
}

uint32_t bl_urid_of(const char *uri) {
    uint32_t bucket = bucket_of(uri);
    uint32_t urid = find(bucket, uri);
    if (urid == 0) {
        pthread_mutex_lock(&adding);
        urid = find(bucket, uri);
        urid = urid != 0 ? urid : add(bucket, uri);
        pthread_mutex_unlock(&adding);
    }
    return urid;
}

const char *bl_urid_text(uint32_t urid) {
    return urid < MOST_URIS ? atomic_load_explicit(&texts[urid], memory_order_acquire) : NULL;
}

static uint32_t map(LV2_URID_Map_Handle handle, const char *uri) {
    (void)handle;
    return uri != NULL ? bl_urid_of(uri) : 0;
}

static const char *unmap(LV2_URID_Unmap_Handle handle, uint32_t urid) {
    (void)handle;
    return bl_urid_text(urid);
}

LV2_URID_Map *bl_urid_map(void) {
    static LV2_URID_Map feature = {NULL, map};
    return &feature;
}

LV2_URID_Unmap *bl_urid_unmap(void) {
    static LV2_URID_Unmap feature = {NULL, unmap};
    return &feature;
}

const bl_urids *bl_urids_known(void) {
    static bl_urids urids;
    if (urids.log_warning == 0) {
        urids = (bl_urids){
            .atom_float = bl_urid_of(LV2_ATOM__Float),
            .atom_double = bl_urid_of(LV2_ATOM__Double),
            .atom_int = bl_urid_of(LV2_ATOM__Int),
            .atom_long = bl_urid_of(LV2_ATOM__Long),
            .atom_bool = bl_urid_of(LV2_ATOM__Bool),
            .atom_string = bl_urid_of(LV2_ATOM__String),
            .atom_path = bl_urid_of(LV2_ATOM__Path),
            .atom_urid = bl_urid_of(LV2_ATOM__URID),
            .atom_sequence = bl_urid_of(LV2_ATOM__Sequence),
            .atom_chunk = bl_urid_of(LV2_ATOM__Chunk),
            .atom_object = bl_urid_of(LV2_ATOM__Object),
            .atom_blank = bl_urid_of(LV2_ATOM__Blank),
            .patch_get = bl_urid_of(LV2_PATCH__Get),
            .patch_set = bl_urid_of(LV2_PATCH__Set),
            .patch_put = bl_urid_of(LV2_PATCH__Put),
            .patch_body = bl_urid_of(LV2_PATCH__body),
            .patch_property = bl_urid_of(LV2_PATCH__property),
            .patch_value = bl_urid_of(LV2_PATCH__value),
            .midi_event = bl_urid_of(LV2_MIDI__MidiEvent),
            .time_position = bl_urid_of(LV2_TIME__Position),
            .time_bar = bl_urid_of(LV2_TIME__bar),
            .time_bar_beat = bl_urid_of(LV2_TIME__barBeat),
            .time_beat = bl_urid_of(LV2_TIME__beat),
            .time_beat_unit = bl_urid_of(LV2_TIME__beatUnit),
            .time_beats_per_bar = bl_urid_of(LV2_TIME__beatsPerBar),
            .time_beats_per_minute = bl_urid_of(LV2_TIME__beatsPerMinute),
            .time_frame = bl_urid_of(LV2_TIME__frame),
            .time_speed = bl_urid_of(LV2_TIME__speed),
            .minimum_block = bl_urid_of(LV2_BUF_SIZE__minBlockLength),
            .maximum_block = bl_urid_of(LV2_BUF_SIZE__maxBlockLength),
            .nominal_block = bl_urid_of(LV2_BUF_SIZE__nominalBlockLength),
            .sequence_size = bl_urid_of(LV2_BUF_SIZE__sequenceSize),
            .sample_rate = bl_urid_of(LV2_PARAMETERS__sampleRate),
            .log_error = bl_urid_of(LV2_LOG__Error),
            .log_warning = bl_urid_of(LV2_LOG__Warning),
        };
    }
    return &urids;
}
