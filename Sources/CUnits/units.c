#include "units.h"

static const bl_unit_descriptor *const units[] = {NULL};

static const bl_unit_library library = {BL_ABI_VERSION, 0, units};

const bl_unit_library *bl_built_in_units(void) { return &library; }
