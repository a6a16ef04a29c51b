/* expect: preset-table: Loud: gain is 5.0, not within 0.0 to 2.0 */
#include "plain_unit.h"

static const bl_preset_value loud[] = {{0, 5}};
static const bl_factory_preset presets[] = {{"Loud", loud, 1}};

UNIT(.factory_presets = presets, .factory_preset_count = 1)
