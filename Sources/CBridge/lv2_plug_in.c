/* Describes an LV2 plug-in as a whole. */
#include "lv2_plug_in.h"

#include <stdio.h>

#include "text.h"

const char *bl_lv2_consume_text(const bl_lv2_reader *reader, LilvNode *node) {
    const char *text =
        bl_text_copy(&reader->plug_in->arena, node != NULL ? lilv_node_as_string(node) : NULL);
    lilv_node_free(node);
    return text;
}

static LilvNode *value_of(const bl_lv2_reader *reader, bl_word word) {
    LilvNodes *values = lilv_plugin_get_value(reader->source, bl_lv2_word(reader, word));
    LilvNode *first = values != NULL ? lilv_node_duplicate(lilv_nodes_get_first(values)) : NULL;
    lilv_nodes_free(values);
    return first;
}

static uint32_t version_of(const bl_lv2_reader *reader) {
    LilvNode *minor = value_of(reader, BL_WORD_MINOR_VERSION);
    LilvNode *micro = value_of(reader, BL_WORD_MICRO_VERSION);
    int numbers[2] = {lilv_node_is_int(minor) ? lilv_node_as_int(minor) : 0,
                      lilv_node_is_int(micro) ? lilv_node_as_int(micro) : 0};
    lilv_node_free(minor);
    lilv_node_free(micro);
    uint32_t version = 1;
    for (int index = 0; index < 2; index += 1) {
        int number = numbers[index];
        version = version << 8 | (uint32_t)(number < 0 ? 0 : number > 255 ? 255 : number);
    }
    return version;
}

/* Returns the manufacturer's name, which is the URI's authority. */
static const char *maker_of(const bl_lv2_reader *reader, const char *uri) {
    const char *start = strstr(uri, "://");
    start = start != NULL ? start + 3 : uri;
    size_t length = strcspn(start, "/#");
    return bl_text_print(&reader->plug_in->arena, "%.*s", (int)length, start);
}

static void read_facts(const bl_lv2_reader *reader, const char *identifier) {
    bl_plug_in *plug_in = reader->plug_in;
    bl_arena *arena = &plug_in->arena;
    const char *maker = maker_of(reader, identifier + 4);
    char *bundle = lilv_node_get_path(lilv_plugin_get_bundle_uri(reader->source), NULL);
    char *library = lilv_node_get_path(lilv_plugin_get_library_uri(reader->source), NULL);
    plug_in->facts.bundle = bl_text_copy(arena, bundle);
    plug_in->facts.library = bl_text_copy(arena, library);
    lilv_free(bundle);
    lilv_free(library);
    plug_in->facts.license = bl_lv2_consume_text(reader, value_of(reader, BL_WORD_LICENSE));
    plug_in->facts.home_page =
        bl_lv2_consume_text(reader, lilv_plugin_get_author_homepage(reader->source));
    bl_unit_descriptor *unit = &plug_in->descriptor;
    unit->component.manufacturer = bl_text_code(maker);
    unit->version = version_of(reader);
    unit->name = bl_text_line(
        arena, bl_lv2_consume_text(reader, lilv_plugin_get_name(reader->source)), identifier);
    unit->manufacturer_name = bl_text_line(
        arena, bl_lv2_consume_text(reader, lilv_plugin_get_author_name(reader->source)), maker);
    const char *summary = bl_lv2_consume_text(reader, value_of(reader, BL_WORD_SHORT_DESCRIPTION));
    if (*summary == 0) {
        summary = bl_lv2_consume_text(reader, value_of(reader, BL_WORD_COMMENT));
        summary = bl_text_print(arena, "%.*s", (int)strcspn(summary, "\n"), summary);
    }
    unit->summary = bl_text_line(arena, summary, unit->name);
}

/* Refuses a plug-in that requires features that the bridge lacks. */
static bool check_features(const bl_lv2_reader *reader, char *message, size_t message_size) {
    LilvNodes *required = lilv_plugin_get_required_features(reader->source);
    bool is_complete = true;
    LILV_FOREACH(nodes, place, required) {
        const char *uri = lilv_node_as_uri(lilv_nodes_get(required, place));
        if (uri != NULL && !bl_lv2_supports_feature(uri)) {
            snprintf(message, message_size, "it requires %s, which Backline does not have", uri);
            is_complete = false;
        }
        reader->plug_in->needs_constant_blocks |=
            uri != NULL && (strcmp(uri, LV2_BUF_SIZE__fixedBlockLength) == 0 ||
                            strcmp(uri, LV2_BUF_SIZE__powerOf2BlockLength) == 0 ||
                            strcmp(uri, LV2_BUF_SIZE__coarseBlockLength) == 0);
    }
    lilv_nodes_free(required);
    return is_complete;
}

static const LilvPlugin *find(bl_bridge *bridge, const char *uri) {
    LilvNode *node = lilv_new_uri(bridge->world, uri);
    const LilvPlugin *found = node != NULL ? lilv_plugins_get_by_uri(bridge->plug_ins, node) : NULL;
    lilv_node_free(node);
    return found;
}

bl_plug_in *bl_lv2_describe(bl_bridge *bridge, const char *identifier, char *message,
                            size_t message_size) {
    const char *uri = identifier + strlen("lv2:");
    bool has_bundles = bridge->has_bundles || bl_lv2_load_all(bridge, NULL);
    const LilvPlugin *source = has_bundles ? find(bridge, uri) : NULL;
    if (source == NULL) {
        snprintf(message, message_size, "no LV2 plug-in <%s> is installed", uri);
        return NULL;
    }
    if (lilv_plugin_get_library_uri(source) == NULL) {
        snprintf(message, message_size, "its bundle names no library");
        return NULL;
    }
    bl_plug_in *plug_in = calloc(1, sizeof *plug_in);
    if (plug_in == NULL) {
        snprintf(message, message_size, "memory is short");
        return NULL;
    }
    bl_lv2_reader reader = {bridge, source, plug_in};
    plug_in->bridge = bridge;
    plug_in->source = source;
    plug_in->is_lv2 = true;
    plug_in->instantiate = bl_lv2_instantiate;
    plug_in->facts.identifier = bl_text_copy(&plug_in->arena, identifier);
    read_facts(&reader, identifier);
    if (!bl_lv2_check_texts(source, message, message_size) ||
        !check_features(&reader, message, message_size) ||
        !bl_lv2_read_ports(&reader, message, message_size)) {
        bl_arena_free(&plug_in->arena);
        free(plug_in);
        return NULL;
    }
    bl_lv2_read_class(&reader);
    bl_lv2_read_busses(&reader);
    bl_lv2_read_parameters(&reader);
    bl_lv2_read_presets(&reader);
    bl_plug_in_finish(plug_in);
    if (plug_in->descriptor.input_bus_count > 64 || plug_in->descriptor.output_bus_count > 64) {
        snprintf(message, message_size, "it has more than 64 busses");
        bl_arena_free(&plug_in->arena);
        free(plug_in);
        return NULL;
    }
    return plug_in;
}
