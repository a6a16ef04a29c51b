/* The class of an LV2 plug-in: tags, and what a type cannot be told from by the ports. */
#include <strings.h>

#include "lv2_plug_in.h"
#include "text.h"

/* Words that a musician looks for, beside the label of the class itself. */
static const struct {
    const char *name, *tag, *second;
    bl_four_character_code type;
    float tail_time; /* seconds; 0: the usual */
} classes[] = {
    {"AmplifierPlugin", "level", NULL, 0, 0},
    {"AnalyserPlugin", "meter", NULL, 0, 0},
    {"ChorusPlugin", "modulation", NULL, 0, 0},
    {"CompressorPlugin", "dynamics", NULL, 0, 0},
    {"DelayPlugin", "time", NULL, 0, 10},
    {"DistortionPlugin", "drive", NULL, 0, 0},
    {"EQPlugin", "filter", "eq", 0, 0},
    {"ExpanderPlugin", "dynamics", NULL, 0, 0},
    {"FlangerPlugin", "modulation", NULL, 0, 0},
    {"GatePlugin", "dynamics", NULL, 0, 0},
    {"InstrumentPlugin", "synth", NULL, 0, 0},
    {"LimiterPlugin", "dynamics", NULL, 0, 0},
    {"MixerPlugin", "mix", NULL, BL_TYPE_MIXER, 0},
    {"MultiEQPlugin", "filter", "eq", 0, 0},
    {"ParaEQPlugin", "filter", "eq", 0, 0},
    {"PhaserPlugin", "modulation", NULL, 0, 0},
    {"PitchPlugin", "pitch", NULL, 0, 0},
    {"ReverbPlugin", "space", NULL, 0, 10},
    {"SpatialPlugin", "stereo", NULL, BL_TYPE_PANNER, 0},
};

static const char *tag_at(const void *table, uint32_t index) {
    return ((const char *const *)table)[index];
}

static void add_tag(bl_plug_in *plug_in, const char **tags, uint32_t *count, const char *tag) {
    for (uint32_t index = 0; index < *count; index += 1) {
        if (strcasecmp(tag_at(tags, index), tag) == 0) {
            return;
        }
    }
    tags[(*count)++] = bl_text_copy(&plug_in->arena, tag);
}

void bl_lv2_read_class(const bl_lv2_reader *reader) {
    bl_plug_in *plug_in = reader->plug_in;
    const char **tags = bl_arena_allocate(&plug_in->arena, 6, sizeof *tags);
    const LilvPluginClass *class = lilv_plugin_get_class(reader->source);
    const LilvNode *label = class != NULL ? lilv_plugin_class_get_label(class) : NULL;
    const LilvNode *uri = class != NULL ? lilv_plugin_class_get_uri(class) : NULL;
    plug_in->facts.plug_in_class =
        bl_text_copy(&plug_in->arena, label != NULL ? lilv_node_as_string(label) : NULL);
    uint32_t count = 0;
    if (tags == NULL) {
        return;
    }
    if (label != NULL && strcmp(lilv_node_as_string(label), "Plugin") != 0) {
        const char *tag = bl_text_identifier(&plug_in->arena, lilv_node_as_string(label), true);
        add_tag(plug_in, tags, &count, tag);
    }
    const char *name = uri != NULL ? strrchr(lilv_node_as_uri(uri), '#') : NULL;
    plug_in->tail_time = 1;
    for (size_t index = 0; index < sizeof classes / sizeof *classes && name != NULL; index += 1) {
        if (strcmp(name + 1, classes[index].name) == 0) {
            add_tag(plug_in, tags, &count, classes[index].tag);
            if (classes[index].second != NULL) {
                add_tag(plug_in, tags, &count, classes[index].second);
            }
            plug_in->descriptor.component.type = classes[index].type;
            if (classes[index].tail_time > 0) {
                plug_in->tail_time = (double)classes[index].tail_time;
            }
        }
    }
    add_tag(plug_in, tags, &count, "lv2");
    plug_in->descriptor.tags = tags;
}
