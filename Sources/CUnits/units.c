#include "units.h"

#include "base/built_in.h"

#define ADDRESS(UNIT) &bl_##UNIT
static const bl_unit_descriptor *const units[] = {BL_BUILT_IN_UNITS(ADDRESS)};

static const bl_unit_library library = {BL_ABI_VERSION, sizeof units / sizeof units[0], units};

const bl_unit_library *bl_built_in_units(void) { return &library; }
