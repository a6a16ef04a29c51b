/* The folders of plug-ins. [control] */
#pragma once

#include <dirent.h>
#include <stdbool.h>

typedef struct bl_folders {
    const char *variable; /* "LV2_PATH": folders with colons between, in place of the usual ones */
    const char *of_home;  /* ".lv2" */
    const char *usual;
} bl_folders;

extern const bl_folders bl_lv2_folders, bl_ladspa_folders;

/* Calls `use` with each folder until it returns true; returns whether it did. */
bool bl_in_folders(const bl_folders *folders, bool (*use)(void *context, const char *folder),
                   void *context);

/* Calls `use` with each name in the folder that `is_wanted` accepts, in alphabetical order. */
void bl_in_folder(const char *folder, int (*is_wanted)(const struct dirent *),
                  void (*use)(void *context, const char *folder, const char *name), void *context);
