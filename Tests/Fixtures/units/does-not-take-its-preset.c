/* expect: presets: Loud: gain is 1.5, not 1.75 */
#define SET(self, value) bl_ramp_set(&(self)->gain, (value) == 1.75f ? 1.5f : (value))
#include "plain_unit.h"

static const bl_preset_value loud[] = {{0, 1.75f}};
static const bl_factory_preset presets[] = {{"Loud", loud, 1}};

UNIT(.factory_presets = presets, .factory_preset_count = 1)
