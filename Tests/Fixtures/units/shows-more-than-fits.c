/* expect: telemetry: levels is longer than its capacity of 4 */
#include "plain_unit.h"

static const bl_telemetry_info telemetry[] = {{"levels", "Levels", BL_TELEMETRY_CURVE, 4}};

static uint32_t read_telemetry(const bl_unit *unit, uint32_t index, float *values) {
    (void)unit, (void)index;
    for (uint32_t frame = 0; frame < 8; frame += 1) {
        values[frame] = 0;
    }
    return 8;
}

UNIT(.telemetry = telemetry, .telemetry_count = 1, .read_telemetry = read_telemetry)
