/* The files that an LV2 plug-in creates, such as sampled sound that belongs to its state. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "lv2_instance.h"

/* Creates the folders in a path, from its part `from` on. */
static bool make_folders(char *path, char *from) {
    for (char *end = strchr(from, '/'); end != NULL; end = strchr(end + 1, '/')) {
        *end = 0;
        bool is_made = mkdir(path, 0777) == 0 || errno == EEXIST;
        *end = '/';
        if (!is_made) {
            return false;
        }
    }
    return true;
}

char *bl_lv2_make_path(LV2_State_Make_Path_Handle handle, const char *path) {
    const bl_instance *self = handle;
    const bl_plug_in *plug_in = self->plug_in;
    bool stays_inside = *path != '/' && strstr(path, "..") == NULL;
    char *made = NULL, *folder = NULL;
    if (self->lv2->is_compared || plug_in->data_folder == NULL || !stays_inside ||
        asprintf(&folder, "%s/XXXXXX", plug_in->data_folder) < 0) {
        return NULL;
    }
    if (mkdtemp(folder) == NULL) {
        fprintf(stderr, "%s: “%s” is not kept: %s: %s\n", plug_in->descriptor.name, path,
                plug_in->data_folder, strerror(errno));
    } else if (asprintf(&made, "%s/%s", folder, path) >= 0 &&
               !make_folders(made, made + strlen(folder) + 1)) {
        free(made);
        made = NULL;
    }
    free(folder);
    return made;
}
