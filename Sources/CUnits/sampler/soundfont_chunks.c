/* For fileno and fstat. */
#define _POSIX_C_SOURCE 200809L

#include "sampler/soundfont_chunks.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backline/memory.h"
#include "base/file_open.h"
#include "sampler/sampler_sample.h"

const char *const bl_soundfont_list_names[] = {"phdr", "pbag", "pmod", "pgen", "inst",
                                               "ibag", "imod", "igen", "shdr"};
static const uint32_t record_sizes[] = {38, 4, 10, 4, 22, 4, 10, 4, 46}; /* bytes */

/* Of one list: as many as the numbers of 16 bits name that point into it, and the one that ends it.
 */
enum { MOST_RECORDS = 65536 };

/* A part of the file: where it begins and how many bytes it has. */
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

/* The chunk at `place`, and where the next begins. False, and a message, for one that does not lie
   in `whole`. */
static bool read_chunk(const bl_soundfont_chunks *chunks, FILE *file, part whole, uint64_t *place,
                       char name[5], part *content) {
    unsigned char head[8];
    uint64_t left = whole.start + whole.size - *place;
    if (left < sizeof head || !read_at(file, *place, head, sizeof head)) {
        return bl_soundfont_refuse(chunks, "RIFF", "the file ends in the middle of a chunk");
    }
    memcpy(name, head, 4);
    name[4] = 0;
    for (uint32_t letter = 0; letter < 4; letter += 1) {
        name[letter] = name[letter] >= ' ' && name[letter] <= '~' ? name[letter] : '?';
    }
    *content = (part){*place + sizeof head, bl_little_32(head + 4)};
    if (content->size > left - sizeof head) {
        return bl_soundfont_refuse(chunks, name, "it says %llu bytes, of which %llu are there",
                                   (unsigned long long)content->size,
                                   (unsigned long long)(left - sizeof head));
    }
    uint64_t padded = content->size + content->size % 2;
    *place = content->start + (padded > left - sizeof head ? content->size : padded);
    return true;
}

static bool read_records(bl_soundfont_chunks *chunks, FILE *file, const char *name, part content) {
    for (uint32_t list = 0; list < BL_SOUNDFONT_LIST_COUNT; list += 1) {
        if (strcmp(name, bl_soundfont_list_names[list]) != 0 || chunks->records[list] != NULL) {
            continue;
        }
        if (content.size == 0 || content.size % record_sizes[list] != 0) {
            return bl_soundfont_refuse(chunks, name, "%llu bytes are no whole number of records",
                                       (unsigned long long)content.size);
        }
        if (content.size / record_sizes[list] > MOST_RECORDS) {
            return bl_soundfont_refuse(chunks, name, "it has more than %d records", MOST_RECORDS);
        }
        unsigned char *bytes = content.size < chunks->memory ? malloc(content.size) : NULL;
        chunks->records[list] = bytes;
        chunks->counts[list] = (uint32_t)(content.size / record_sizes[list]);
        if (bytes == NULL || !read_at(file, content.start, bytes, content.size)) {
            return bl_soundfont_refuse(chunks, name, "it cannot be read");
        }
    }
    return true;
}

/* Puts the 16 bits of `smpl` and the 8 of `sm24` together. */
static bool read_samples(bl_soundfont_chunks *chunks, FILE *file, part words, part bytes) {
    uint64_t frames = words.size / 2;
    chunks->are_floats = bytes.size >= frames && bytes.size > 0;
    uint64_t size = frames * (chunks->are_floats ? sizeof(float) : sizeof(int16_t));
    if (frames == 0) {
        return bl_soundfont_refuse(chunks, "smpl", "there is no sound in it");
    }
    if (size > chunks->memory) {
        return bl_soundfont_refuse(chunks, "smpl",
                                   "the samples need more than %llu MiB of memory (the property "
                                   "“memory”)",
                                   (unsigned long long)chunks->memory >> 20);
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

static bool read_file(bl_soundfont_chunks *chunks, FILE *file, uint64_t size) {
    char name[5], kind[5] = "";
    part whole = {0, size}, content, words = {0, 0}, bytes = {0, 0};
    uint64_t place = 0;
    if (!read_chunk(chunks, file, whole, &place, name, &content)) {
        return false;
    }
    if (strcmp(name, "RIFF") != 0 || content.size < 4 || !read_at(file, content.start, kind, 4) ||
        strcmp(kind, "sfbk") != 0) {
        return bl_soundfont_refuse(chunks, "RIFF", "this is no SoundFont file");
    }
    whole = content;
    for (place = whole.start + 4; place < whole.start + whole.size;) {
        part list;
        if (!read_chunk(chunks, file, whole, &place, name, &list)) {
            return false;
        }
        bool is_list = strcmp(name, "LIST") == 0 && list.size >= 4;
        if (!is_list || !read_at(file, list.start, kind, 4)) {
            continue;
        }
        bool has_sound = strcmp(kind, "sdta") == 0, has_records = strcmp(kind, "pdta") == 0;
        for (uint64_t inner = list.start + 4;
             (has_sound || has_records) && inner < list.start + list.size;) {
            if (!read_chunk(chunks, file, list, &inner, name, &content)) {
                return false;
            }
            words = has_sound && strcmp(name, "smpl") == 0 ? content : words;
            bytes = has_sound && strcmp(name, "sm24") == 0 ? content : bytes;
            if (has_records && !read_records(chunks, file, name, content)) {
                return false;
            }
        }
    }
    for (uint32_t list = 0; list < BL_SOUNDFONT_LIST_COUNT; list += 1) {
        if (chunks->records[list] == NULL) {
            return bl_soundfont_refuse(chunks, bl_soundfont_list_names[list], "it is missing");
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
