/* An LV2 plug-in of control voltages. Its output is the sum of "level", which has no bounds, and of
   the input "bias", which has a default. */
#include <lv2/core/lv2.h>
#include <stdlib.h>
#include <string.h>

typedef struct voltage {
    const float *level, *bias;
    float *pitch;
} voltage;

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *path,
                              const LV2_Feature *const *features) {
    (void)descriptor, (void)rate, (void)path, (void)features;
    return calloc(1, sizeof(voltage));
}

static void connect(LV2_Handle handle, uint32_t port, void *data) {
    voltage *self = handle;
    if (port < 3) {
        memcpy((void *[]){&self->level, &self->bias, &self->pitch}[port], &data, sizeof data);
    }
}

static void run(LV2_Handle handle, uint32_t frames) {
    const voltage *self = handle;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        self->pitch[frame] = *self->level + self->bias[frame];
    }
}

static const LV2_Descriptor descriptor = {
    "urn:test:voltage", instantiate, connect, NULL, run, NULL, free, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index == 0 ? &descriptor : NULL;
}
