/* Declares fileno and fstat. */
#define _POSIX_C_SOURCE 200809L

#include "sampler/soundfont_chunks.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backline/memory.h"
#include "base/file_open.h"

const char *const bl_soundfont_list_names[] = {"phdr", "pbag", "pmod", "pgen", "inst",
                                               "ibag", "imod", "igen", "shdr"};
static const uint32_t record_sizes[] = {38, 4, 10, 4, 22, 4, 10, 4, 46}; /* in bytes */

/* The most records of one list: as many as 16-bit indices can name, and the one that ends it. */
enum { MOST_RECORDS = 65536 };

/* A part of the file: its start and its length in bytes. */
typedef struct part {
    uint64_t start, size;
} part;

bool bl_soundfont_refuse(const bl_soundfont_chunks *chunks, const char *chunk, const char *format,
                         ...) {
    int length =
        snprintf(chunks->message, chunks->message_size, "%s: chunk %.4s: ", chunks->name, chunk);
    if (length >= 0 && (size_t)length < chunks->message_size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(chunks->message + length, chunks->message_size - (size_t)length, format,
                  arguments);
        va_end(arguments);
    }
    return false;
}

const unsigned char *bl_soundfont_record(const bl_soundfont_chunks *chunks, bl_soundfont_list list,
                                         uint32_t index, uint32_t offset) {
    return chunks->records[list] + (size_t)index * record_sizes[list] + offset;
}

static bool read_at(FILE *file, uint64_t place, void *bytes, size_t count) {
    return fseeko(file, (off_t)place, SEEK_SET) == 0 && fread(bytes, 1, count, file) == count;
}

/* Reads the chunk at `place`, and the start of the next. False at the end of `whole`, which may be
   truncated. */
static bool read_chunk(const bl_soundfont_chunks *chunks, FILE *file, part whole, uint64_t *place,
                       char name[5], part *content) {
    unsigned char head[8];
    uint64_t end = whole.start + whole.size;
    if (*place >= end || end - *place < sizeof head || !read_at(file, *place, head, sizeof head)) {
        return false;
    }
    memcpy(name, head, 4);
    name[4] = 0;
    for (uint32_t letter = 0; letter < 4; letter += 1) {
        name[letter] = name[letter] >= ' ' && name[letter] <= '~' ? name[letter] : '?';
    }
    uint64_t left = end - *place - sizeof head;
    *content = (part){*place + sizeof head, bl_little_32(head + 4)};
    if (content->size > left) {
        bl_sampler_instrument_warn(
            chunks->instrument, name, "%s: chunk %s: it says %llu bytes, of which %llu are there",
            chunks->name, name, (unsigned long long)content->size, (unsigned long long)left);
        content->size = left;
    }
    *place = content->start + content->size + content->size % 2;
    return true;
}

/* Reads a list's whole records. A list of modulators may be empty, without the one that ends it. */
static bool read_list(bl_soundfont_chunks *chunks, FILE *file, bl_soundfont_list list,
                      part content) {
    const char *name = bl_soundfont_list_names[list];
    uint64_t count = content.size / record_sizes[list];
    if (content.size % record_sizes[list] != 0 || count > MOST_RECORDS) {
        bl_sampler_instrument_warn(chunks->instrument, name,
                                   "%s: chunk %s: %llu bytes are no whole number of records up to "
                                   "%d",
                                   chunks->name, name, (unsigned long long)content.size,
                                   MOST_RECORDS);
    }
    count = count < MOST_RECORDS ? count : MOST_RECORDS;
    bool may_be_empty = list == BL_PRESET_MODULATORS || list == BL_INSTRUMENT_MODULATORS;
    if (count == 0 && !may_be_empty) {
        return bl_soundfont_refuse(chunks, name, "it is empty or missing");
    }
    size_t size = (size_t)count * record_sizes[list];
    unsigned char *bytes = calloc(count + 1, record_sizes[list]);
    chunks->records[list] = bytes;
    chunks->counts[list] = count > 0 ? (uint32_t)count : 1;
    return (bytes != NULL && (size == 0 || read_at(file, content.start, bytes, size))) ||
           bl_soundfont_refuse(chunks, name, "it cannot be read");
}

/* Combines the 16 bits of `smpl` and the 8 of `sm24`. */
static bool read_samples(bl_soundfont_chunks *chunks, FILE *file, part words, part bytes) {
    uint64_t frames = words.size / 2;
    chunks->are_floats = bytes.size >= frames && bytes.size > 0;
    uint64_t size = frames * (chunks->are_floats ? sizeof(float) : sizeof(int16_t));
    if (frames == 0) {
        return bl_soundfont_refuse(chunks, "smpl", "there is no sound in it");
    }
    if (size > chunks->instrument->memory) {
        return bl_soundfont_refuse(chunks, "smpl",
                                   "the samples need more than %llu MiB of memory (the property "
                                   "“memory”)",
                                   (unsigned long long)chunks->instrument->memory >> 20);
    }
    enum { BLOCK = 4096 };
    unsigned char high[2 * BLOCK], low[BLOCK];
    chunks->samples = bl_allocate_touched(size, 1);
    chunks->frames = (uint32_t)frames;
    int16_t *to_words = chunks->samples;
    float *to_floats = chunks->samples;
    for (uint64_t done = 0; chunks->samples != NULL && done < frames; done += BLOCK) {
        size_t count = frames - done < BLOCK ? (size_t)(frames - done) : BLOCK;
        if (!read_at(file, words.start + 2 * done, high, 2 * count) ||
            (chunks->are_floats && !read_at(file, bytes.start + done, low, count))) {
            return bl_soundfont_refuse(chunks, "smpl", "it cannot be read");
        }
        for (size_t frame = 0; frame < count; frame += 1) {
            int16_t word = (int16_t)(uint16_t)bl_little_16(high + 2 * frame);
            if (chunks->are_floats) {
                to_floats[done + frame] = (float)(256 * (int32_t)word + low[frame]) * 0x1p-23f;
            } else {
                to_words[done + frame] = word;
            }
        }
    }
    return chunks->samples != NULL || bl_soundfont_refuse(chunks, "smpl", "no memory");
}

/* Finds the lists of a LIST chunk, or its samples. */
static void find_parts(const bl_soundfont_chunks *chunks, FILE *file, part list, const char *kind,
                       part *lists, part *words, part *bytes) {
    char name[5];
    part content;
    bool has_sound = strcmp(kind, "sdta") == 0;
    for (uint64_t place = list.start + 4; read_chunk(chunks, file, list, &place, name, &content);) {
        if (has_sound) {
            *words = strcmp(name, "smpl") == 0 ? content : *words;
            *bytes = strcmp(name, "sm24") == 0 ? content : *bytes;
        }
        for (uint32_t index = 0; !has_sound && index < BL_SOUNDFONT_LIST_COUNT; index += 1) {
            bool is_new = lists[index].size == 0;
            if (is_new && strcmp(name, bl_soundfont_list_names[index]) == 0) {
                lists[index] = content;
            }
        }
    }
}

static bool read_file(bl_soundfont_chunks *chunks, FILE *file, uint64_t size) {
    char name[5] = "", kind[5] = "";
    part content = {0, 0}, words = {0, 0}, bytes = {0, 0};
    part lists[BL_SOUNDFONT_LIST_COUNT] = {{0, 0}};
    unsigned char head[12];
    if (size < sizeof head || !read_at(file, 0, head, sizeof head) ||
        memcmp(head, "RIFF", 4) != 0 || memcmp(head + 8, "sfbk", 4) != 0) {
        return bl_soundfont_refuse(chunks, "RIFF", "this is no SoundFont file");
    }
    /* The size in the header is ignored. */
    part whole = {sizeof head, size - sizeof head};
    for (uint64_t place = whole.start; read_chunk(chunks, file, whole, &place, name, &content);) {
        if (strcmp(name, "LIST") == 0 && content.size >= 4 &&
            read_at(file, content.start, kind, 4) &&
            (strcmp(kind, "sdta") == 0 || strcmp(kind, "pdta") == 0)) {
            find_parts(chunks, file, content, kind, lists, &words, &bytes);
        }
    }
    for (uint32_t list = 0; list < BL_SOUNDFONT_LIST_COUNT; list += 1) {
        if (!read_list(chunks, file, list, lists[list])) {
            return false;
        }
    }
    return read_samples(chunks, file, words, bytes);
}

bool bl_soundfont_chunks_read(bl_soundfont_chunks *chunks, const char *path) {
    FILE *file = bl_file_open_stream(path, chunks->message, chunks->message_size);
    if (file == NULL) {
        return false;
    }
    struct stat facts;
    bool done = fstat(fileno(file), &facts) == 0
                    ? read_file(chunks, file, (uint64_t)facts.st_size)
                    : bl_soundfont_refuse(chunks, "RIFF", "its size is not known");
    fclose(file);
    return done;
}

void bl_soundfont_chunks_free(bl_soundfont_chunks *chunks) {
    for (uint32_t list = 0; list < BL_SOUNDFONT_LIST_COUNT; list += 1) {
        free(chunks->records[list]);
    }
}
