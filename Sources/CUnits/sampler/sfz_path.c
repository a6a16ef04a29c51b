/* Declares opendir. */
#define _POSIX_C_SOURCE 200809L

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sampler/sfz_text.h"

enum { LONGEST_PATH = 4096 };

/* The next letter of a name, in lower case and without its accent: from UTF-8, composed or not, and
   from Latin-1, which Windows writes. 0 at the end. */
static unsigned char next_letter(const char **name, const char *end) {
    static const char bases[] = "aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo/ouuuuyty";
    while (*name < end) {
        unsigned char letter = (unsigned char)*(*name)++;
        unsigned char next = *name < end ? (unsigned char)**name : 0;
        bool goes_on = (next & 0xC0) == 0x80;
        if (goes_on && (letter == 0xCC || (letter == 0xCD && next < 0xB0))) {
            *name += 1; /* a combining accent */
        } else if (letter == 0xC3 && goes_on) {
            *name += 1;
            return (unsigned char)bases[next & 0x3F];
        } else if (letter >= 0xC0 && !goes_on) {
            return (unsigned char)bases[letter & 0x3F];
        } else {
            return (unsigned char)tolower(letter);
        }
    }
    return 0;
}

static bool is_like(const char *a, const char *a_end, const char *b) {
    const char *b_end = b + strlen(b);
    unsigned char letter;
    do {
        letter = next_letter(&a, a_end);
        if (letter != next_letter(&b, b_end)) {
            return false;
        }
    } while (letter != 0);
    return true;
}

/* Adds a part of a path, as spelt in the folder; false if it does not fit. */
static bool add_part(char *path, const char *part, size_t length) {
    size_t used = strlen(path);
    if (used + 1 + length + NAME_MAX >= LONGEST_PATH) {
        return false;
    }
    char *name = path + used + !(used > 0 && path[used - 1] == '/');
    memcpy(path + used, "/", 2);
    memcpy(name, part, length);
    name[length] = 0;
    struct stat facts;
    if (stat(path, &facts) == 0) {
        return true;
    }
    *name = 0;
    DIR *folder = opendir(path);
    memcpy(name, part, length);
    for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL;
         entry = readdir(folder)) {
        if (is_like(part, part + length, entry->d_name)) {
            strcpy(name, entry->d_name);
            break;
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return true;
}

/* Writes the path of a file in `folder`; returns whether it exists. */
static bool find(const char *folder, const char *file, char *path) {
    snprintf(path, LONGEST_PATH, "%s", folder);
    for (const char *part = file; *part != 0;) {
        size_t length = strcspn(part, "/\\");
        if (length > 0 && !(length == 1 && part[0] == '.') && !add_part(path, part, length)) {
            return false;
        }
        part += length + (part[length] != 0);
    }
    return access(path, F_OK) == 0;
}

/* Finds an end of a path like C:\Users\Me\Piano\Samples\A4.wav that exists here. */
static bool find_end(const char *folder, const char *file, char *path) {
    while ((file = strpbrk(file, "/\\")) != NULL) {
        file += 1;
        if (*file != 0 && find(folder, file, path)) {
            return true;
        }
    }
    return false;
}

/* Finds a file relative to the folder of the file being read, which another may include. */
static bool find_beside(const bl_sfz_text *text, const char *file, char *path) {
    const char *own = text->place.file;
    size_t length = strlen(own);
    while (length > 0 && own[length - 1] != '/' && own[length - 1] != '\\') {
        length -= 1;
    }
    char whole[LONGEST_PATH];
    snprintf(whole, sizeof whole, "%.*s%s", (int)length, own, file);
    return length > 0 && find(own[0] == '/' ? "/" : text->folder, whole, path);
}

const char *bl_sfz_path(const bl_sfz_text *text, const char *file) {
    char expected[LONGEST_PATH], other[LONGEST_PATH];
    bool is_absolute = file[0] == '/';
    bool is_of_root = is_absolute || file[0] == '\\' || (file[0] != 0 && file[1] == ':');
    const char *path = expected;
    if (!find(is_absolute ? "/" : text->folder, file, expected) &&
        (find(text->linked_folder, file, other) || find_beside(text, file, other) ||
         (is_of_root && find_end(text->folder, file, other)))) {
        path = other;
    }
    return bl_arena_copy(&text->instrument->arena, path, strlen(path) + 1, 1);
}
