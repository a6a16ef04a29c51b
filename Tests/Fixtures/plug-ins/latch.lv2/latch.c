/* Passes its input on until "break" is above 0: from then on NaN comes out, whatever is reset, as
   from the filters of many plug-ins after a single NaN. */
#include <lv2/core/lv2.h>
#include <math.h>
#include <stdlib.h>

typedef struct latch {
    const float *in, *breaks;
    float *out;
    float factor;
} latch;

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *path,
                              const LV2_Feature *const *features) {
    (void)descriptor, (void)rate, (void)path, (void)features;
    latch *self = calloc(1, sizeof *self);
    self->factor = 1;
    return self;
}

static void connect_port(LV2_Handle handle, uint32_t port, void *data) {
    latch *self = handle;
    if (port == 0) {
        self->in = data;
    } else if (port == 1) {
        self->out = data;
    } else {
        self->breaks = data;
    }
}

static void run(LV2_Handle handle, uint32_t frames) {
    latch *self = handle;
    self->factor *= *self->breaks > 0 ? NAN : 1;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        self->out[frame] = self->factor * self->in[frame];
    }
}

static const LV2_Descriptor descriptor = {.URI = "urn:test:latch",
                                          .instantiate = instantiate,
                                          .connect_port = connect_port,
                                          .run = run,
                                          .cleanup = free};

const LV2_Descriptor *lv2_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }
