/* Loads the LV2 world from the bundles' texts. lilv crashes on some, so each bundle is read
   separately, and a crash can be attributed to it. [control] */
#define _GNU_SOURCE
#include <limits.h>
#include <serd/serd.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bridge_private.h"
#include "folders.h"

static bool make_world(bl_bridge *bridge) {
    static const char *const uris[] = {
#define BL_WORD_URI(name, uri) uri,
        BL_WORDS(BL_WORD_URI)
#undef BL_WORD_URI
    };
    LilvWorld *world = bridge->world == NULL ? lilv_world_new() : NULL;
    if (world != NULL) {
        for (uint32_t word = 0; word < BL_WORD_COUNT; word += 1) {
            bridge->words[word] = lilv_new_uri(world, uris[word]);
        }
        bridge->plug_ins = lilv_world_get_all_plugins(world);
        bridge->world = world;
    }
    return bridge->world != NULL;
}

/* The place and reason of a syntax error in Turtle; empty if there is none. */
typedef struct fault {
    const char *path;
    char text[512];
} fault;

static SerdStatus note_error(void *handle, const SerdError *error) {
    fault *fault = handle;
    char reason[256];
    vsnprintf(reason, sizeof reason, error->fmt, *error->args);
    if (fault->text[0] == 0) {
        snprintf(fault->text, sizeof fault->text, "%s:%u:%u: %.*s", fault->path, error->line,
                 error->col, (int)strcspn(reason, "\n"), reason);
    }
    return SERD_SUCCESS;
}

static void check_text(fault *fault) {
    SerdReader *reader = serd_reader_new(SERD_TURTLE, NULL, NULL, NULL, NULL, NULL, NULL);
    FILE *file = fopen(fault->path, "re");
    if (reader != NULL && file != NULL) {
        serd_reader_set_error_sink(reader, note_error, fault);
        serd_reader_read_file_handle(reader, file, (const uint8_t *)fault->path);
    }
    if (file != NULL) {
        fclose(file);
    }
    serd_reader_free(reader);
}

bool bl_lv2_check_texts(const LilvPlugin *plug_in, char *message, size_t message_size) {
    bool is_whole = true;
    LILV_FOREACH(nodes, place, lilv_plugin_get_data_uris(plug_in)) {
        const LilvNode *uri = lilv_nodes_get(lilv_plugin_get_data_uris(plug_in), place);
        char *path = lilv_node_get_path(uri, NULL);
        fault fault = {path, ""};
        if (path != NULL && is_whole) {
            check_text(&fault);
        }
        if (fault.text[0] != 0) {
            snprintf(message, message_size, "%s", fault.text);
            is_whole = false;
        }
        lilv_free(path);
    }
    return is_whole;
}

static void load(bl_bridge *bridge, const char *folder) {
    /* Relative URIs in the bundle are resolved against its URI's text, in which “..” and “//” would
       lead elsewhere. */
    char *real = realpath(folder, NULL), path[PATH_MAX + 1];
    snprintf(path, sizeof path, "%s/", real != NULL ? real : folder);
    LilvNode *uri = lilv_new_file_uri(bridge->world, NULL, path);
    if (uri != NULL) {
        lilv_world_load_bundle(bridge->world, uri);
        lilv_node_free(uri);
    }
    free(real);
}

/* Loads the loaded bundles' descriptions of classes. */
static void load_specifications(bl_bridge *bridge) {
    lilv_world_load_specifications(bridge->world);
    lilv_world_load_plugin_classes(bridge->world);
}

typedef struct scan {
    bl_bridge *bridge;
    const bl_bridge_visitor *visitor; /* or NULL */
} scan;

static void scan_bundle(void *context, const char *folder, const char *name) {
    const scan *scan = context;
    char path[4096], manifest[4096 + sizeof "/manifest.ttl"];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(manifest, sizeof manifest, "%s/manifest.ttl", path);
    const bl_bridge_visitor *visitor = scan->visitor;
    if (access(manifest, R_OK) != 0 ||
        (visitor != NULL && !visitor->visit(visitor->context, path))) {
        return;
    }
    fault fault = {manifest, ""};
    check_text(&fault);
    if (fault.text[0] == 0) {
        load(scan->bridge, path);
    } else if (visitor != NULL) {
        visitor->refuse(visitor->context, path, fault.text);
    }
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static bool scan_folder(void *context, const char *folder) {
    bl_in_folder(folder, is_visible, scan_bundle, context);
    return false;
}

bool bl_lv2_load_all(bl_bridge *bridge, const bl_bridge_visitor *visitor) {
    if (!make_world(bridge)) {
        return false;
    }
    scan scan = {bridge, visitor};
    bl_in_folders(&bl_lv2_folders, scan_folder, &scan);
    load_specifications(bridge);
    bridge->has_bundles = true;
    return true;
}

/* Loads the bundles with vocabulary for others: classes, and parameters such as param:gain. */
static bool load_words(void *context, const char *folder) {
    static const char *const names[] = {"core.lv2", "parameters.lv2"};
    bool is_there = false;
    for (size_t index = 0; index < sizeof names / sizeof *names; index += 1) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, names[index]);
        if (access(path, R_OK) == 0) {
            load(context, path);
            is_there = true;
        }
    }
    return is_there;
}

static void look_in(bl_bridge *bridge, const char *folder) {
    char manifest[4096];
    snprintf(manifest, sizeof manifest, "%s/manifest.ttl", folder);
    if (access(manifest, R_OK) != 0) {
        snprintf(bridge->ladspa_folder, sizeof bridge->ladspa_folder, "%s", folder);
        return;
    }
    if (!make_world(bridge)) {
        return;
    }
    if (!bridge->has_bundles) {
        char beside[4096];
        snprintf(beside, sizeof beside, "%s/..", folder);
        if (!load_words(bridge, beside)) {
            bl_in_folders(&bl_lv2_folders, load_words, bridge);
        }
        bridge->has_bundles = true;
    }
    load(bridge, folder);
    load_specifications(bridge);
}

void bl_bridge_look_in(bl_bridge *bridge, const char *folder) {
    bl_lv2_lock_world();
    look_in(bridge, folder);
    bl_lv2_unlock_world();
}

void bl_lv2_scan(bl_bridge *bridge, const bl_bridge_visitor *visitor) {
    if (!bl_lv2_load_all(bridge, visitor)) {
        return;
    }
    LILV_FOREACH(plugins, place, bridge->plug_ins) {
        const LilvPlugin *plug_in = lilv_plugins_get(bridge->plug_ins, place);
        bl_bridge_add_identifier(bridge, "lv2:", lilv_node_as_uri(lilv_plugin_get_uri(plug_in)),
                                 "");
    }
}
