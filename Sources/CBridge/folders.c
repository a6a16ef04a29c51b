#define _GNU_SOURCE
#include "folders.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The subfolder of libraries for this processor, in Debian's naming. */
#if defined(__aarch64__)
#define BL_MULTIARCH "aarch64-linux-gnu"
#else
#define BL_MULTIARCH "x86_64-linux-gnu"
#endif

const bl_folders bl_lv2_folders = {"LV2_PATH", ".lv2",
                                   "/usr/local/lib/lv2:/usr/lib/lv2:/usr/lib/" BL_MULTIARCH
                                   "/lv2:/usr/lib64/lv2"};
const bl_folders bl_ladspa_folders = {"LADSPA_PATH", ".ladspa",
                                      "/usr/local/lib/ladspa:/usr/lib/ladspa:/usr/lib/" BL_MULTIARCH
                                      "/ladspa:/usr/lib64/ladspa:"
                                      "/usr/local/lib64/ladspa"};

bool bl_in_folders(const bl_folders *folders, bool (*use)(void *context, const char *folder),
                   void *context) {
    const char *home = getenv("HOME"), *path = getenv(folders->variable);
    char folder[4096];
    if (path == NULL) {
        snprintf(folder, sizeof folder, "%s/%s", home != NULL ? home : "", folders->of_home);
        if (home != NULL && use(context, folder)) {
            return true;
        }
        path = folders->usual;
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

void bl_in_folder(const char *folder, int (*is_wanted)(const struct dirent *),
                  void (*use)(void *context, const char *folder, const char *name), void *context) {
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_wanted, alphasort);
    for (int index = 0; index < count; index += 1) {
        use(context, folder, entries[index]->d_name);
        free(entries[index]);
    }
    free(entries);
}
