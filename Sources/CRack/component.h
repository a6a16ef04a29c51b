/* A rack that can be instantiated as a unit. */
#pragma once

#include "rack/rack.h"

typedef struct bl_rack_component {
    bl_unit_descriptor descriptor; /* the first member: a pointer to it is one to the component */
    bl_rack_plan plan;
    bl_arena arena;
} bl_rack_component;

/* Sets the descriptor's functions. */
void bl_rack_set_functions(bl_unit_descriptor *descriptor);
