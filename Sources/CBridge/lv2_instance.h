/* What an LV2 instance holds besides its ports: the features that it was given. */
#pragma once

#include "bridge_private.h"
#include "instance.h"

#define BL_LV2_MOST_FEATURES 24

struct bl_lv2_instance {
    LilvInstance *instance;
    LV2_Feature features[BL_LV2_MOST_FEATURES];
    const LV2_Feature *list[BL_LV2_MOST_FEATURES + 1]; /* ended by NULL */
    uint32_t feature_count;
    LV2_Options_Option options[6];
    int32_t minimum_block, maximum_block, nominal_block, sequence_size;
    float sample_rate;
    LV2_Log_Log log;
    LV2_URI_Map_Feature uri_map;
    LV2_Event_Feature event;
    LV2_State_Map_Path map_path;
    LV2_State_Make_Path make_path;
    bool is_compared; /* its state is taken, but not kept: no files are made for it */
    LV2_State_Free_Path free_path;
};

/* Fills in the features for `instance`, whose worker is there. [control] */
void bl_lv2_make_features(bl_instance *instance);

/* The path of a new file in the unit's data folder, in a folder of its own there, so that no state
   loses its files to a later one; NULL, with a message on standard error, where it cannot be made.
   LV2_State_Make_Path's function, whose handle is the instance. [control] */
char *bl_lv2_make_path(LV2_State_Make_Path_Handle handle, const char *path);
