/* The LADSPA libraries of this machine. [control] */
#define _GNU_SOURCE
#include "ladspa_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <sys/stat.h>

#include "bridge_private.h"
#include "folders.h"

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

bool bl_ladspa_find(const char *name, const char *folder, char *path, size_t size) {
    search search = {name, path, size};
    return strchr(name, '/') == NULL && ((*folder != 0 && find_in(&search, folder)) ||
                                         bl_in_folders(&bl_ladspa_folders, find_in, &search));
}

typedef struct scan {
    bl_bridge *bridge;
    const bl_bridge_visitor *visitor; /* or NULL */
} scan;

static void scan_library(void *context, const char *folder, const char *file) {
    const scan *scan = context;
    char path[4096], first[4096], message[256];
    size_t length = strlen(file) - strlen(".so");
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)length, file);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    /* Of two libraries with the same name the first counts. */
    if (!bl_ladspa_find(name, "", first, sizeof first) || strcmp(first, path) != 0 ||
        (scan->visitor != NULL && !scan->visitor->visit(scan->visitor->context, path))) {
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
    bl_in_folder(folder, is_library, scan_library, context);
    return false;
}

void bl_ladspa_scan(bl_bridge *bridge, const bl_bridge_visitor *visitor) {
    scan scan = {bridge, visitor};
    bl_in_folders(&bl_ladspa_folders, scan_folder, &scan);
}
