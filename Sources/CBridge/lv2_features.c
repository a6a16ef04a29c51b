/* The features that every LV2 instance gets, requested or not: some plug-ins need undeclared
   ones. */
#define _GNU_SOURCE
#include <stdio.h>

#include "lv2_instance.h"
#include "lv2_plug_in.h"

/* The supported features: those without data, or with data made below. */
static const char *const supported[] = {
    LV2_URID__map,
    LV2_URID__unmap,
    LV2_OPTIONS__options,
    LV2_WORKER__schedule,
    LV2_LOG__log,
    LV2_STATE__loadDefaultState,
    LV2_STATE__mapPath,
    LV2_STATE__makePath,
    LV2_STATE__freePath,
    LV2_BUF_SIZE__boundedBlockLength,
    LV2_BUF_SIZE__fixedBlockLength,
    LV2_BUF_SIZE__powerOf2BlockLength,
    LV2_BUF_SIZE__coarseBlockLength,
    LV2_CORE__isLive,
    LV2_CORE__hardRTCapable,
    LV2_CORE__inPlaceBroken,
    LV2_URI_MAP_URI,
    LV2_EVENT_URI,
};

bool bl_lv2_supports_feature(const char *uri) {
    for (size_t index = 0; index < sizeof supported / sizeof *supported; index += 1) {
        if (strcmp(uri, supported[index]) == 0) {
            return true;
        }
    }
    return false;
}

static void add(bl_lv2_instance *self, const char *uri, void *data) {
    self->features[self->feature_count] = (LV2_Feature){uri, data};
    self->list[self->feature_count] = &self->features[self->feature_count];
    self->feature_count += 1;
}

/* Prints errors and warnings to standard error; nothing from inside run. */
static int print_list(LV2_Log_Handle handle, uint32_t type, const char *format, va_list arguments) {
    bl_instance *instance = handle;
    const bl_urids *urids = bl_urids_known();
    if ((type != urids->log_error && type != urids->log_warning) ||
        atomic_load_explicit(&instance->is_running, memory_order_relaxed)) {
        return 0;
    }
    fprintf(stderr, "%s: ", instance->plug_in->descriptor.name);
    return vfprintf(stderr, format, arguments);
}

static int print(LV2_Log_Handle handle, uint32_t type, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = print_list(handle, type, format, arguments);
    va_end(arguments);
    return count;
}

static uint32_t uri_to_id(LV2_URI_Map_Callback_Data data, const char *map, const char *uri) {
    (void)data;
    (void)map;
    return bl_urid_of(uri);
}

/* Reference-counted events do not occur: the bridge sends none. */
static uint32_t count_reference(LV2_Event_Callback_Data data, LV2_Event *event) {
    (void)data;
    (void)event;
    return 0;
}

/* Returns the path unchanged: a state names files by their whole path. */
static char *same_path(LV2_State_Map_Path_Handle handle, const char *path) {
    (void)handle;
    return strdup(path);
}

static void free_path(LV2_State_Free_Path_Handle handle, char *path) {
    (void)handle;
    free(path);
}

static void make_options(bl_instance *instance, bl_lv2_instance *self) {
    const bl_urids *urids = bl_urids_known();
    uint32_t constant = instance->constant_block;
    self->maximum_block = (int32_t)(constant > 0 ? constant : instance->maximum_frames);
    self->minimum_block = constant > 0 ? self->maximum_block : 1;
    self->nominal_block = self->maximum_block;
    self->sequence_size = BL_EVENT_PORT_SIZE;
    self->sample_rate = (float)instance->sample_rate;
    const struct {
        uint32_t key;
        const int32_t *value;
    } rows[] = {{urids->minimum_block, &self->minimum_block},
                {urids->maximum_block, &self->maximum_block},
                {urids->nominal_block, &self->nominal_block},
                {urids->sequence_size, &self->sequence_size}};
    for (size_t index = 0; index < 4; index += 1) {
        self->options[index] = (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0,
                                                    rows[index].key,      sizeof(int32_t),
                                                    urids->atom_int,      rows[index].value};
    }
    self->options[4] = (LV2_Options_Option){LV2_OPTIONS_INSTANCE, 0,
                                            urids->sample_rate,   sizeof(float),
                                            urids->atom_float,    &self->sample_rate};
}

void bl_lv2_make_features(bl_instance *instance) {
    bl_lv2_instance *self = instance->lv2;
    make_options(instance, self);
    self->log = (LV2_Log_Log){instance, print, print_list};
    self->uri_map = (LV2_URI_Map_Feature){NULL, uri_to_id};
    self->event = (LV2_Event_Feature){NULL, count_reference, count_reference};
    self->map_path = (LV2_State_Map_Path){NULL, same_path, same_path};
    self->make_path = (LV2_State_Make_Path){instance, bl_lv2_make_path};
    self->free_path = (LV2_State_Free_Path){NULL, free_path};
    self->feature_count = 0;
    add(self, LV2_URID__map, bl_urid_map());
    add(self, LV2_URID__unmap, bl_urid_unmap());
    add(self, LV2_OPTIONS__options, self->options);
    add(self, LV2_WORKER__schedule, bl_work_thread_feature(instance->work_thread));
    add(self, LV2_LOG__log, &self->log);
    add(self, LV2_STATE__loadDefaultState, NULL);
    add(self, LV2_STATE__mapPath, &self->map_path);
    add(self, LV2_STATE__makePath, &self->make_path);
    add(self, LV2_STATE__freePath, &self->free_path);
    add(self, LV2_BUF_SIZE__boundedBlockLength, NULL);
    if (instance->constant_block > 0) {
        add(self, LV2_BUF_SIZE__fixedBlockLength, NULL);
        add(self, LV2_BUF_SIZE__powerOf2BlockLength, NULL);
        add(self, LV2_BUF_SIZE__coarseBlockLength, NULL);
    }
    add(self, LV2_CORE__isLive, NULL);
    add(self, LV2_URI_MAP_URI, &self->uri_map);
    add(self, LV2_EVENT_URI, &self->event);
    self->list[self->feature_count] = NULL;
}
