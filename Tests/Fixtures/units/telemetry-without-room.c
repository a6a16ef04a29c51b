/* expect: telemetry-table: levels has a capacity of 0 */
#include "plain_unit.h"

static const bl_telemetry_info telemetry[] = {{"levels", "Levels", BL_TELEMETRY_CURVE, 0}};

static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) {
    (void)unit, (void)index, (void)values;
    return 0;
}

UNIT(.telemetry = telemetry, .telemetry_count = 1, .read_telemetry = read_telemetry)
