/* The floor: a plug-in's own functions in a plain loop, by lilv and dlopen alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <ladspa.h>
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/options/options.h>
#include <lv2/urid/urid.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "trial.h"

/* Ports of a plug-in with audio and controls only. */
typedef struct bare {
    LilvInstance *lv2;
    const LADSPA_Descriptor *ladspa;
    LADSPA_Handle handle;
    uint32_t port_count, input_count, output_count;
    float *controls;
    float **inputs, **outputs;
} bare;

static LilvWorld *world(void) {
    static LilvWorld *world;
    if (world == NULL) {
        world = lilv_world_new();
        lilv_world_load_all(world);
    }
    return world;
}

static LV2_URID map(LV2_URID_Map_Handle handle, const char *uri) {
    static char *uris[4096];
    static uint32_t count;
    (void)handle;
    for (uint32_t index = 0; index < count; index += 1) {
        if (strcmp(uris[index], uri) == 0) {
            return index + 1;
        }
    }
    uris[count] = strdup(uri);
    return ++count;
}

static float *buffer(void) { return aligned_alloc(64, 8192 * sizeof(float)); }

static void add_audio(bare *self, bool is_input, float **to) {
    float *samples = buffer();
    memset(samples, 0, 8192 * sizeof(float));
    *to = samples;
    if (is_input) {
        self->inputs[self->input_count++] = samples;
    } else {
        self->outputs[self->output_count++] = samples;
    }
}

static void make_room(bare *self, uint32_t ports) {
    self->port_count = ports;
    self->controls = calloc(ports, sizeof(float));
    self->inputs = calloc(ports, sizeof(float *));
    self->outputs = calloc(ports, sizeof(float *));
}

/* The values of control ports come from the unit's table: the metadata's traps are not on trial. */
static float initial(const bl_unit_descriptor *unit, const char *identifier, float otherwise,
                     bool *is_plain) {
    for (uint32_t index = 0; index < unit->parameter_count; index += 1) {
        if (strcmp(unit->parameters[index].identifier, identifier) == 0) {
            *is_plain = *is_plain && (unit->parameters[index].value_strings == NULL ||
                                      unit->parameters[index].default_value == otherwise);
            return unit->parameters[index].default_value;
        }
    }
    return otherwise;
}

static bool open_lv2(bare *self, const bl_unit_descriptor *unit, const char *uri, double rate) {
    static const int32_t minimum = 1, maximum = BL_TRIAL_FRAMES;
    LilvNode *node = lilv_new_uri(world(), uri);
    const LilvPlugin *plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world()), node);
    LilvNode *audio = lilv_new_uri(world(), LV2_CORE__AudioPort);
    LilvNode *control = lilv_new_uri(world(), LV2_CORE__ControlPort);
    LilvNode *input = lilv_new_uri(world(), LV2_CORE__InputPort);
    LV2_URID_Map feature = {NULL, map};
    LV2_Options_Option options[] = {
        {LV2_OPTIONS_INSTANCE, 0, map(NULL, LV2_BUF_SIZE__minBlockLength), 4,
         map(NULL, LV2_ATOM__Int), &minimum},
        {LV2_OPTIONS_INSTANCE, 0, map(NULL, LV2_BUF_SIZE__maxBlockLength), 4,
         map(NULL, LV2_ATOM__Int), &maximum},
        {0}};
    LV2_Feature map_feature = {LV2_URID__map, &feature};
    LV2_Feature options_feature = {LV2_OPTIONS__options, options};
    LV2_Feature bounded = {LV2_BUF_SIZE__boundedBlockLength, NULL};
    const LV2_Feature *features[] = {&map_feature, &options_feature, &bounded, NULL};
    bool is_plain = true;
    uint32_t count = lilv_plugin_get_num_ports(plugin);
    make_room(self, count);
    for (uint32_t port = 0; port < count; port += 1) {
        const LilvPort *source = lilv_plugin_get_port_by_index(plugin, port);
        is_plain = is_plain && (lilv_port_is_a(plugin, source, audio) ||
                                lilv_port_is_a(plugin, source, control));
    }
    self->lv2 = is_plain ? lilv_plugin_instantiate(plugin, rate, features) : NULL;
    if (self->lv2 == NULL) {
        return false;
    }
    for (uint32_t port = 0; port < count; port += 1) {
        const LilvPort *source = lilv_plugin_get_port_by_index(plugin, port);
        const char *symbol = lilv_node_as_string(lilv_port_get_symbol(plugin, source));
        bool is_input = lilv_port_is_a(plugin, source, input);
        float *samples = &self->controls[port];
        if (lilv_port_is_a(plugin, source, audio)) {
            add_audio(self, is_input, &samples);
        } else if (is_input) {
            LilvNode *value = NULL;
            lilv_port_get_range(plugin, source, &value, NULL, NULL);
            float stated = value != NULL ? lilv_node_as_float(value) : 0;
            self->controls[port] = initial(unit, symbol, stated, &is_plain);
        }
        lilv_instance_connect_port(self->lv2, port, samples);
    }
    lilv_instance_activate(self->lv2);
    return is_plain;
}

static bool open_ladspa(bare *self, const bl_unit_descriptor *unit, double rate) {
    bl_bridge_facts facts = bl_bridge_facts_of(unit);
    void *library = dlopen(facts.library, RTLD_NOW);
    LADSPA_Descriptor_Function entry = NULL;
    *(void **)&entry = dlsym(library, "ladspa_descriptor");
    const char *label = strchr(facts.identifier, '/') + 1;
    for (unsigned long index = 0; (self->ladspa = entry(index)) != NULL; index += 1) {
        if (strcmp(self->ladspa->Label, label) == 0) {
            break;
        }
    }
    self->handle = self->ladspa->instantiate(self->ladspa, (unsigned long)rate);
    make_room(self, (uint32_t)self->ladspa->PortCount);
    uint32_t parameter = 0;
    for (uint32_t port = 0; port < self->port_count; port += 1) {
        LADSPA_PortDescriptor kind = self->ladspa->PortDescriptors[port];
        float *samples = &self->controls[port];
        if (LADSPA_IS_PORT_AUDIO(kind)) {
            add_audio(self, LADSPA_IS_PORT_INPUT(kind), &samples);
        } else if (parameter < unit->parameter_count &&
                   strcmp(unit->parameters[parameter].name, self->ladspa->PortNames[port]) == 0) {
            self->controls[port] = unit->parameters[parameter++].default_value;
        }
        self->ladspa->connect_port(self->handle, port, samples);
    }
    if (self->ladspa->activate != NULL) {
        self->ladspa->activate(self->handle);
    }
    return true;
}

static bool open_bare(bare *self, const bl_unit_descriptor *unit, double rate) {
    const char *identifier = bl_bridge_facts_of(unit).identifier;
    return strncmp(identifier, "lv2:", 4) == 0 ? open_lv2(self, unit, identifier + 4, rate)
                                               : open_ladspa(self, unit, rate);
}

static inline void run(bare *self, uint32_t frames) {
    if (self->lv2 != NULL) {
        lilv_instance_run(self->lv2, frames);
    } else {
        self->ladspa->run(self->handle, frames);
    }
}

static void restart(bare *self) {
    if (self->lv2 != NULL) {
        lilv_instance_deactivate(self->lv2);
        lilv_instance_activate(self->lv2);
        return;
    }
    if (self->ladspa->deactivate != NULL) {
        self->ladspa->deactivate(self->handle);
    }
    if (self->ladspa->activate != NULL) {
        self->ladspa->activate(self->handle);
    }
}

/* Plays the trial's noise with a new instance, and replaces `heard` with its output. Returns the
   largest difference of the two; negative where a bare loop does not serve the plug-in's ports. */
static double play(const bl_unit_descriptor *unit, bl_trial *trial) {
    bare self = {0};
    if (unit == NULL || unit->output_bus_count != 1 || unit->input_bus_count != 1 ||
        !open_bare(&self, unit, 48000)) {
        return -1;
    }
    /* The bridge starts with a first run and a new activation. */
    run(&self, BL_TRIAL_FRAMES);
    restart(&self);
    uint64_t seed = 0;
    double difference = 0;
    for (uint32_t block = 0; block < BL_TRIAL_BLOCKS; block += 1) {
        for (uint32_t frame = 0; frame < BL_TRIAL_FRAMES; frame += 1) {
            float noise = bl_trial_noise(seed++);
            for (uint32_t input = 0; input < self.input_count; input += 1) {
                self.inputs[input][frame] = noise;
            }
        }
        run(&self, BL_TRIAL_FRAMES);
        for (uint32_t output = 0; output < self.output_count; output += 1) {
            float *place = trial->heard[output] + block * BL_TRIAL_FRAMES;
            for (uint32_t frame = 0; frame < BL_TRIAL_FRAMES; frame += 1) {
                float sample = self.outputs[output][frame];
                double apart = fabs((double)sample - (double)place[frame]);
                /* Samples that are not finite in both count as equal. */
                difference = apart > difference ? apart : difference;
                place[frame] = sample;
            }
        }
    }
    return difference;
}

static double play_again(bl_bridge *bridge, const char *identifier, bl_trial *trial) {
    char message[256];
    snprintf(trial->activity, sizeof trial->activity, "comparing");
    return play(bl_bridge_describe(bridge, identifier, message, sizeof message), trial);
}

void bl_trial_compare(bl_bridge *bridge, const char *identifier, bl_trial *trial) {
    trial->difference = play_again(bridge, identifier, trial);
    trial->comparison = trial->difference < 0 ? BL_COMPARISON_NONE : BL_COMPARISON_DONE;
}

void bl_trial_repeat(bl_bridge *bridge, const char *identifier, bl_trial *trial) {
    mallopt(M_PERTURB, 0x41);
    if (play_again(bridge, identifier, trial) > BL_TRIAL_NEAR) {
        trial->comparison = BL_COMPARISON_NOT_REPEATABLE;
    }
}

#define CHAIN 64
#define CHAIN_FRAMES 64
#define ROUNDS 41
#define CYCLES 2000

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int by_number(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

/* Pulls nothing: the unit's input is the buffer that the unit before it wrote. */
static bl_status no_pull(void *context, uint32_t flags, const bl_timestamp *timestamp,
                         uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING {
    (void)context, (void)flags, (void)timestamp, (void)frames, (void)bus, (void)input;
    return BL_ERROR_NO_CONNECTION;
}

/* The first `count` of a chain in a plain loop, and as units. */
static bool time_chain(const bl_unit_descriptor *unit, uint32_t count) {
    static bare floor[CHAIN];
    bl_unit *units[CHAIN];
    memset(floor, 0, sizeof floor);
    const uint32_t width[] = {unit->input_busses[0].default_channel_count};
    bl_render_configuration configuration = {48000, CHAIN_FRAMES, 1, 1, width, width};
    float *first = buffer();
    for (uint32_t place = 0; place < count; place += 1) {
        units[place] = unit->create(unit);
        if (unit->allocate_render_resources(units[place], &configuration) != BL_OK ||
            !open_bare(&floor[place], unit, 48000)) {
            return false;
        }
        if (place > 0) {
            for (uint32_t port = 0; port < floor[place].port_count; port += 1) {
                /* The bare chain is wired once. */
                if (floor[place].lv2 != NULL && port == 1) {
                    lilv_instance_connect_port(floor[place].lv2, 1, floor[place - 1].outputs[0]);
                }
            }
        }
    }
    for (uint32_t frame = 0; frame < CHAIN_FRAMES; frame += 1) {
        first[frame] = floor[0].inputs[0][frame] = bl_trial_noise(frame);
    }
    static double bare_times[ROUNDS], unit_times[ROUNDS];
    int64_t time = 0;
    /* Wired as the kernel does: two buffers by turns, and a host structure for each, made once. */
    static float *pointers[CHAIN + 1][1];
    float *buffers[2] = {buffer(), buffer()};
    static bl_buffers inputs[CHAIN];
    static bl_render_host hosts[CHAIN];
    pointers[0][0] = first;
    for (uint32_t place = 0; place < count; place += 1) {
        inputs[place] = (bl_buffers){1, pointers[place]};
        pointers[place + 1][0] = buffers[place % 2];
        hosts[place] = (bl_render_host){
            sizeof(bl_render_host), &inputs[place], NULL, no_pull, NULL, NULL, NULL};
    }
    for (uint32_t round = 0; round < ROUNDS; round += 1) {
        double start = now();
        for (uint32_t cycle = 0; cycle < CYCLES; cycle += 1) {
            for (uint32_t place = 0; place < count; place += 1) {
                run(&floor[place], CHAIN_FRAMES);
            }
        }
        double middle = now();
        for (uint32_t cycle = 0; cycle < CYCLES; cycle += 1) {
            bl_timestamp timestamp = {time};
            time += CHAIN_FRAMES;
            for (uint32_t place = 0; place < count; place += 1) {
                bl_buffers output = {1, pointers[place + 1]};
                unit->render(units[place], 0, &timestamp, CHAIN_FRAMES, 0, &output, NULL,
                             &hosts[place]);
            }
        }
        bare_times[round] = (middle - start) / CYCLES / count;
        unit_times[round] = (now() - middle) / CYCLES / count;
    }
    qsort(bare_times, ROUNDS, sizeof(double), by_number);
    qsort(unit_times, ROUNDS, sizeof(double), by_number);
    for (uint32_t place = 0; place < count; place += 1) {
        unit->deallocate_render_resources(units[place]);
        unit->destroy(units[place]);
    }
    double bare = bare_times[ROUNDS / 2], ours = unit_times[ROUNDS / 2];
    printf("%6u  %8.1f  %8.1f  %6.2f\n", count, bare, ours, ours / bare);
    return true;
}

int bl_time_chain(bl_bridge *bridge, const char *identifier) {
    static const uint32_t counts[] = {1, 8, 32, CHAIN};
    char message[256];
    const bl_unit_descriptor *unit =
        bl_bridge_describe(bridge, identifier, message, sizeof message);
    if (unit == NULL) {
        fprintf(stderr, "%s: %s\n", identifier, message);
        return 1;
    }
    printf("%s in a row, %d frames: ns for each and block, median of %d rounds\n"
           " count  bare run()     units   ratio (at most 1.2)\n",
           identifier, CHAIN_FRAMES, ROUNDS);
    for (size_t index = 0; index < sizeof counts / sizeof *counts; index += 1) {
        if (!time_chain(unit, counts[index])) {
            fprintf(stderr, "%s cannot be timed\n", identifier);
            return 1;
        }
    }
    return 0;
}
