/* LV2 and LADSPA plug-ins as units: their names, and a descriptor for each.
   docs/reference/plug-ins.md describes the mapping of ports and metadata. Every function is
   [control], one call at a time. */
#ifndef BACKLINE_BRIDGE_H
#define BACKLINE_BRIDGE_H

#include <stdbool.h>

#include "backline/unit.h"

BL_BEGIN_DECLARATIONS

/* The plug-ins of this machine. It lasts as long as the program: an opened library stays open, and
   descriptors point into it. */
typedef struct bl_bridge bl_bridge;

/* Sets the environment to that of a program without a display, which toolkits that plug-ins link
   look for when they are loaded. Call it before other threads start. */
void bl_bridge_hide_display(void);

/* Creates a bridge, without reading files; NULL when memory is short. */
bl_bridge *bl_bridge_create(void);

/* Whether the text names a plug-in: "lv2:URI" or "ladspa:LIBRARY/LABEL", where LIBRARY is a file
   name without ".so". */
bool bl_bridge_is_identifier(const char *text);

/* The callbacks of a scan. */
typedef struct bl_bridge_visitor {
    void *context;
    /* Called before each bundle is read and each library is opened, so that a crash can be
       attributed. Returns false to skip it. */
    bool (*visit)(void *context, const char *path);
    /* Called for a skipped bundle: `reason` has the place and the fault. */
    void (*refuse)(void *context, const char *path, const char *reason);
} bl_bridge_visitor;

/* Lists all plug-ins: LV2 from the bundles' text files in $LV2_PATH or the usual folders, LADSPA by
   opening every library in $LADSPA_PATH or the usual folders. `visitor` can be NULL. */
void bl_bridge_scan(bl_bridge *bridge, const bl_bridge_visitor *visitor);
/* The number of plug-ins that the scan found. */
uint32_t bl_bridge_count(const bl_bridge *bridge);
const char *bl_bridge_identifier(const bl_bridge *bridge, uint32_t index);

/* Searches this LV2 bundle for plug-ins, so that no other is read to describe one of it; or this
   folder of LADSPA libraries before the others. */
void bl_bridge_look_in(bl_bridge *bridge, const char *folder);

/* Describes the plug-in as a unit: the same descriptor at each call, for the life of the program.
   Needs no scan: if no bundle was read, all are. Runs no code of an LV2 plug-in, but opens a LADSPA
   library. NULL if it cannot be a unit; `message` then has the reason in one line. */
const bl_unit_descriptor *bl_bridge_describe(bl_bridge *bridge, const char *identifier,
                                             char *message, size_t message_size);

/* Returns the value of the property "state" for a factory preset of a descriptor from
   bl_bridge_describe: its bundle and URI; NULL if the preset sets parameters only. */
const char *bl_bridge_preset_state(const bl_unit_descriptor *descriptor, uint32_t preset);

/* Opens the library of a descriptor from bl_bridge_describe, which runs its code; instances open it
   by themselves. False: `message` has the reason. */
bool bl_bridge_open(const bl_unit_descriptor *descriptor, char *message, size_t message_size);

/* Lets instances created from now on split cycles at events, so that parameters change at their
   exact frames: for a plug-in that is known to render the same in blocks of any length. No effect
   if it needs constant blocks, or receives or sends events itself. */
void bl_bridge_split(const bl_unit_descriptor *descriptor);

/* Sets the folder for files that a plug-in creates by state:makePath, if the folder exists. */
void bl_bridge_keep_files(const bl_unit_descriptor *descriptor, const char *folder);

/* The facts for catalogues beyond the descriptor. Texts may be empty, never NULL. */
typedef struct bl_bridge_facts {
    const char *identifier;
    const char *bundle;  /* folder of an LV2 bundle or of a LADSPA library, which a process needs
                            to read */
    const char *library; /* the file with its code */
    const char *plug_in_class; /* "Reverb" */
    const char *license;       /* URI or text */
    const char *home_page;
} bl_bridge_facts;
/* Returns the facts for a descriptor from bl_bridge_describe. */
bl_bridge_facts bl_bridge_facts_of(const bl_unit_descriptor *descriptor);

BL_END_DECLARATIONS

#endif
