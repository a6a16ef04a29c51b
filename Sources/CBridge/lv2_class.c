/* The class of an LV2 plug-in: tags, and what the ports do not reveal about its type. */
#include <math.h>
#include <strings.h>

#include "lv2_plug_in.h"
#include "text.h"

/* The built-in units' tag for the use, besides the label of the class itself. */
static const struct {
    const char *name, *tag;
    bl_four_character_code type;
    float tail_time; /* seconds; 0: the usual. Infinite if it depends on the settings */
} classes[] = {
    {"AmplifierPlugin", "Utility", 0, 0},
    {"AnalyserPlugin", "Utility", 0, 0},
    {"BandpassPlugin", "Tone", 0, 0},
    {"ChorusPlugin", "Modulation", 0, 0},
    {"CompressorPlugin", "Dynamics", 0, 0},
    {"DelayPlugin", "Time", 0, INFINITY},
    {"DistortionPlugin", "Guitar", 0, 0},
    {"DynamicsPlugin", "Dynamics", 0, 0},
    {"EQPlugin", "Tone", 0, 0},
    {"ExpanderPlugin", "Dynamics", 0, 0},
    {"FilterPlugin", "Tone", 0, 0},
    {"FlangerPlugin", "Modulation", 0, 0},
    {"GatePlugin", "Dynamics", 0, 0},
    {"HighpassPlugin", "Tone", 0, 0},
    {"InstrumentPlugin", "Synth", 0, 0},
    {"LimiterPlugin", "Dynamics", 0, 0},
    {"LowpassPlugin", "Tone", 0, 0},
    {"MixerPlugin", "Utility", BL_TYPE_MIXER, 0},
    {"ModulatorPlugin", "Modulation", 0, 0},
    {"MultiEQPlugin", "Tone", 0, 0},
    {"ParaEQPlugin", "Tone", 0, 0},
    {"PhaserPlugin", "Modulation", 0, 0},
    {"PitchPlugin", "Pitch", 0, 0},
    {"ReverbPlugin", "Space", 0, INFINITY},
    {"SpatialPlugin", "Utility", BL_TYPE_PANNER, 0},
    {"UtilityPlugin", "Utility", 0, 0},
    {"WaveshaperPlugin", "Guitar", 0, 0},
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
    /* "Reverb Plugin", but only "Plugin" if it has no class. */
    const char *text = label != NULL ? lilv_node_as_string(label) : "";
    const char *end = strstr(text, " Plugin");
    if (*text != 0 && strcmp(text, "Plugin") != 0) {
        int length = (int)(end != NULL ? end - text : (ptrdiff_t)strlen(text));
        const char *word = bl_text_print(&plug_in->arena, "%.*s", length, text);
        add_tag(plug_in, tags, &count, bl_text_identifier(&plug_in->arena, word, false));
    }
    const char *name = uri != NULL ? strrchr(lilv_node_as_uri(uri), '#') : NULL;
    plug_in->tail_time = name != NULL && strcmp(name, "#Plugin") != 0 ? 1 : INFINITY;
    for (size_t index = 0; index < sizeof classes / sizeof *classes && name != NULL; index += 1) {
        if (strcmp(name + 1, classes[index].name) == 0) {
            add_tag(plug_in, tags, &count, classes[index].tag);
            plug_in->descriptor.component.type = classes[index].type;
            if (classes[index].tail_time > 0) {
                plug_in->tail_time = (double)classes[index].tail_time;
            }
        }
    }
    add_tag(plug_in, tags, &count, "LV2");
    plug_in->descriptor.tags = tags;
}
