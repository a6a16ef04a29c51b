/* For opendir and strcasecmp. */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "sampler/sfz_text.h"

enum { LONGEST_PATH = 4096 };

/* Adds a part of a path in the case in which the folder has it; false where it does not fit. */
static bool add_part(char *path, const char *part, size_t length) {
    size_t used = strlen(path);
    if (used + 1 + length >= LONGEST_PATH) {
        return false;
    }
    path[used] = '/';
    memcpy(path + used + 1, part, length);
    path[used + 1 + length] = 0;
    struct stat facts;
    if (stat(path, &facts) == 0) {
        return true;
    }
    path[used] = 0;
    DIR *folder = opendir(path);
    path[used] = '/';
    for (struct dirent *entry = folder != NULL ? readdir(folder) : NULL; entry != NULL;
         entry = readdir(folder)) {
        if (strlen(entry->d_name) == length && strncasecmp(entry->d_name, part, length) == 0) {
            memcpy(path + used + 1, entry->d_name, length);
            break;
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return true;
}

const char *bl_sfz_path(const bl_sfz_text *text, const char *file) {
    char path[LONGEST_PATH];
    if (file[0] == '/' || file[0] == '\\' || (file[0] != 0 && file[1] == ':')) {
        bl_sfz_refuse(text, "%s is not in the folder of the instrument", file);
        return NULL;
    }
    if (strlen(text->folder) >= sizeof path) {
        bl_sfz_refuse(text, "the path is too long");
        return NULL;
    }
    strcpy(path, text->folder);
    size_t root = strlen(path);
    for (const char *part = file; *part != 0;) {
        size_t length = strcspn(part, "/\\");
        if (length == 2 && part[0] == '.' && part[1] == '.') {
            if (strlen(path) == root) {
                bl_sfz_refuse(text, "%s leads out of the folder of the instrument", file);
                return NULL;
            }
            *strrchr(path, '/') = 0;
        } else if (length > 0 && !(length == 1 && part[0] == '.') &&
                   !add_part(path, part, length)) {
            bl_sfz_refuse(text, "%.80s… is too long a path", file);
            return NULL;
        }
        part += length + (part[length] != 0);
    }
    char *kept = bl_arena_copy(text->arena, path, strlen(path) + 1, 1);
    if (kept == NULL) {
        bl_sfz_refuse(text, "no memory");
    }
    return kept;
}
