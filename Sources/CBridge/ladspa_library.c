/* The LADSPA libraries of this machine. [control] */
#define _GNU_SOURCE
#include "ladspa_library.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <sys/stat.h>

#include "bridge_private.h"

static const char standard_folders[] =
    "/usr/local/lib/ladspa:/usr/lib/ladspa:/usr/lib/" BL_MULTIARCH "/ladspa:/usr/lib64/ladspa:"
    "/usr/local/lib64/ladspa";

/* Calls `use` with each folder until it returns true. */
static bool in_folders(bool (*use)(void *context, const char *folder), void *context) {
    const char *home = getenv("HOME"), *path = getenv("LADSPA_PATH");
    char folder[4096];
    if (path == NULL) {
        snprintf(folder, sizeof folder, "%s/.ladspa", home != NULL ? home : "");
        if (home != NULL && use(context, folder)) {
            return true;
        }
        path = standard_folders;
    }
    while (*path != 0) {
        size_t length = strcspn(path, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)length, path);
        if (length > 0 && use(context, folder)) {
            return true;
        }
        path += length + (path[length] == ':');
    }
    return false;
}

LADSPA_Descriptor_Function bl_ladspa_open(const char *path, char *message, size_t message_size) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    LADSPA_Descriptor_Function entry = NULL;
    if (handle == NULL) {
        const char *reason = dlerror();
        snprintf(message, message_size, "%s", reason != NULL ? reason : "it cannot be opened");
        return NULL;
    }
    *(void **)&entry = dlsym(handle, "ladspa_descriptor");
    if (entry == NULL) {
        snprintf(message, message_size, "%s is no LADSPA library", path);
    }
    return entry;
}

typedef struct search {
    const char *name;
    char *path;
    size_t size;
} search;

static bool find_in(void *context, const char *folder) {
    search *search = context;
    struct stat status;
    snprintf(search->path, search->size, "%s/%s.so", folder, search->name);
    return stat(search->path, &status) == 0;
}

bool bl_ladspa_find(const char *name, char *path, size_t size) {
    search search = {name, path, size};
    return strchr(name, '/') == NULL && in_folders(find_in, &search);
}

typedef struct scan {
    bl_bridge *bridge;
    bool (*visit)(void *context, const char *path);
    void *context;
} scan;

static void scan_library(scan *scan, const char *folder, const char *file) {
    char path[4096], first[4096], message[256];
    size_t length = strlen(file) - strlen(".so");
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)length, file);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    /* Of two libraries of one name the first counts. */
    if (!bl_ladspa_find(name, first, sizeof first) || strcmp(first, path) != 0 ||
        (scan->visit != NULL && !scan->visit(scan->context, path))) {
        return;
    }
    LADSPA_Descriptor_Function entry = bl_ladspa_open(path, message, sizeof message);
    for (unsigned long index = 0; entry != NULL; index += 1) {
        const LADSPA_Descriptor *descriptor = entry(index);
        if (descriptor == NULL) {
            break;
        }
        if (descriptor->Label != NULL) {
            char text[512];
            snprintf(text, sizeof text, "%s/%s", name, descriptor->Label);
            bl_bridge_add_identifier(scan->bridge, "ladspa:", text, "");
        }
    }
}

static int is_library(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 3 && strcmp(entry->d_name + length - 3, ".so") == 0;
}

static bool scan_folder(void *context, const char *folder) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_library, alphasort);
    for (int index = 0; index < count; index += 1) {
        scan_library(context, folder, entries[index]->d_name);
        free(entries[index]);
    }
    free(entries);
    return false;
}

void bl_ladspa_scan(bl_bridge *bridge, bool (*visit)(void *context, const char *path),
                    void *context) {
    scan scan = {bridge, visit, context};
    in_folders(scan_folder, &scan);
}
