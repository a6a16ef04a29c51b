/* LV2 and LADSPA plug-ins as units: their names, and a descriptor for each.
   docs/reference/plug-ins.md says what becomes of ports and metadata. Every function is [control],
   one call at a time. */
#ifndef BACKLINE_BRIDGE_H
#define BACKLINE_BRIDGE_H

#include <stdbool.h>

#include "backline/unit.h"

BL_BEGIN_DECLARATIONS

/* The plug-ins of this machine. It lasts as long as the program: a library that was opened stays
   open, and descriptors point into it. */
typedef struct bl_bridge bl_bridge;

/* Toolkits that a plug-in links look for a display when they are loaded: sets the environment to
   that of a program that has none. Before there are other threads. */
void bl_bridge_hide_display(void);

/* NULL when memory is short. Reads no files yet. */
bl_bridge *bl_bridge_create(void);

/* Whether the text names a plug-in: "lv2:URI" or "ladspa:LIBRARY/LABEL", LIBRARY being a file's
   name without ".so". */
bool bl_bridge_is_identifier(const char *text);

/* Follows a scan. */
typedef struct bl_bridge_visitor {
    void *context;
    /* Called before each bundle is read and each library is opened, so that a crash can be blamed
       on it. False: leave it out. */
    bool (*visit)(void *context, const char *path);
    /* The bundle is left out: `reason` has the place and the fault. */
    void (*refuse)(void *context, const char *path, const char *reason);
} bl_bridge_visitor;

/* Lists all plug-ins: LV2 from the bundles' text files in $LV2_PATH or the usual folders, LADSPA by
   opening every library in $LADSPA_PATH or the usual folders. `visitor` can be NULL. */
void bl_bridge_scan(bl_bridge *bridge, const bl_bridge_visitor *visitor);
/* What the scan has found. */
uint32_t bl_bridge_count(const bl_bridge *bridge);
const char *bl_bridge_identifier(const bl_bridge *bridge, uint32_t index);

/* Looks for plug-ins in this LV2 bundle, so that no other is read to describe one of it; or in this
   folder of LADSPA libraries before the others. */
void bl_bridge_look_in(bl_bridge *bridge, const char *folder);

/* The plug-in as a unit: the same descriptor at each call, for the life of the program. Needs no
   scan: where no bundle was read, all are. Runs no code of an LV2 plug-in, but opens a LADSPA
   library. NULL: it cannot be a unit, and `message` has the reason in one line. */
const bl_unit_descriptor *bl_bridge_describe(bl_bridge *bridge, const char *identifier,
                                             char *message, size_t message_size);

/* What the property "state" is to be set to for a factory preset of a descriptor that
   bl_bridge_describe returned: its bundle and URI; NULL where parameters are all that it sets. */
const char *bl_bridge_preset_state(const bl_unit_descriptor *descriptor, uint32_t preset);

/* Opens the library of a descriptor that bl_bridge_describe returned, which runs its code;
   instances open it by themselves. False: `message` has the reason. */
bool bl_bridge_open(const bl_unit_descriptor *descriptor, char *message, size_t message_size);

/* Instances that are made from now on run from one event to the next, so that parameters change at
   their very frames: for a plug-in that is known to render the same in blocks of any length. Has no
   effect where it needs constant blocks, or takes or sends events itself. */
void bl_bridge_split(const bl_unit_descriptor *descriptor);

/* The folder for files that a plug-in makes by state:makePath, if it is there. */
void bl_bridge_keep_files(const bl_unit_descriptor *descriptor, const char *folder);

/* What a catalogue shows beyond the descriptor. Texts may be empty, never NULL. */
typedef struct bl_bridge_facts {
    const char *identifier;
    const char *bundle;  /* folder of an LV2 bundle or of a LADSPA library, which a process needs
                            to read */
    const char *library; /* file that is opened to run it */
    const char *plug_in_class; /* "Reverb" */
    const char *license;       /* URI or text */
    const char *home_page;
} bl_bridge_facts;
/* Of a descriptor that bl_bridge_describe returned. */
bl_bridge_facts bl_bridge_facts_of(const bl_unit_descriptor *descriptor);

BL_END_DECLARATIONS

#endif
