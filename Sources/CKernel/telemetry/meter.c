#include "telemetry/meter.h"

void bl_meter_fold(bl_meter *meter) BL_NONBLOCKING {
    for (int lane = 0; lane < BL_METER_LANES; lane += 1) {
        meter->folded_squares += (double)meter->squares[lane];
        meter->squares[lane] = 0;
    }
    meter->folded_frames = meter->frames;
}

bool bl_meter_pop(bl_meter *meter, float *peak, float *mean_square) BL_NONBLOCKING {
    if (meter->frames == 0) {
        return false;
    }
    bl_meter_fold(meter);
    int32_t bits = 0;
    for (int lane = 0; lane < BL_METER_LANES; lane += 1) {
        bits = meter->peaks[lane] > bits ? meter->peaks[lane] : bits;
    }
    memcpy(peak, &bits, sizeof *peak);
    *mean_square = (float)(meter->folded_squares / (double)meter->frames);
    memset(meter, 0, sizeof *meter);
    return true;
}
