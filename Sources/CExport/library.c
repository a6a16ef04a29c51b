/* The one exported function of the library, and the location of the library's files. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "export/export.h"
#include "instance.h"

static bl_arena arena;
static bl_plug_in *plug_ins;
static uint32_t plug_in_count;

static void read_bundle(void) {
    Dl_info place;
    if (dladdr((void *)&read_bundle, &place) == 0) {
        return;
    }
    const char *name = strrchr(place.dli_fname, '/');
    int folder_length = name != NULL ? (int)(name - place.dli_fname) : 0;
    char path[4096];
    snprintf(path, sizeof path, "%.*s%s" BL_EXPORT_FILE, folder_length, place.dli_fname,
             name != NULL ? "/" : "");
    plug_in_count = bl_read_plug_ins(path, &arena, &plug_ins);
    for (uint32_t index = 0; index < plug_in_count; index += 1) {
        LV2_Descriptor *descriptor = &plug_ins[index].descriptor;
        descriptor->instantiate = bl_export_instantiate;
        descriptor->connect_port = bl_export_connect_port;
        descriptor->activate = bl_export_activate;
        descriptor->run = bl_export_run;
        descriptor->deactivate = bl_export_deactivate;
        descriptor->cleanup = bl_export_cleanup;
        descriptor->extension_data = bl_export_extension_data;
    }
}

__attribute__((destructor)) static void forget_bundle(void) { bl_arena_free(&arena); }

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_bundle);
    return index < plug_in_count ? &plug_ins[index].descriptor : NULL;
}
