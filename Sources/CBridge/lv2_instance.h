/* The state of an LV2 instance besides its ports: the features passed to it. */
#pragma once

#include "bridge_private.h"
#include "instance.h"

#define BL_LV2_MOST_FEATURES 24

struct bl_lv2_instance {
    LilvInstance *instance;
    LV2_Feature features[BL_LV2_MOST_FEATURES];
    const LV2_Feature *list[BL_LV2_MOST_FEATURES + 1]; /* terminated by NULL */
    uint32_t feature_count;
    LV2_Options_Option options[6];
    int32_t minimum_block, maximum_block, nominal_block, sequence_size;
    float sample_rate;
    LV2_Log_Log log;
    LV2_URI_Map_Feature uri_map;
    LV2_Event_Feature event;
    LV2_State_Map_Path map_path;
    LV2_State_Make_Path make_path;
    bool is_compared; /* its state is only compared: create no files */
    LV2_State_Free_Path free_path;
};

/* Fills in the features for `instance`, whose worker exists. [control] */
void bl_lv2_make_features(bl_instance *instance);

/* Returns the path of a new file in a new subfolder of the unit's data folder, so that a later
   state does not overwrite its files; NULL, with a message on standard error, on failure.
   LV2_State_Make_Path's function, whose handle is the instance. [control] */
char *bl_lv2_make_path(LV2_State_Make_Path_Handle handle, const char *path);
