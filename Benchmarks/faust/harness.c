/* Around the C that Faust makes of a .dsp file: what its code expects to find, and what the
   benchmarks call. */
#include <stdlib.h>

#define FAUSTFLOAT float

static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }

typedef struct {
    void *metaInterface;
    void (*declare)(void *, const char *, const char *);
} MetaGlue;

typedef void (*open_box)(void *, const char *);
typedef void (*add_button)(void *, const char *, float *);
typedef void (*add_control)(void *, const char *, float *, float, float, float, float);

typedef struct {
    void *uiInterface;
    open_box openTabBox, openHorizontalBox, openVerticalBox;
    void (*closeBox)(void *);
    add_button addButton, addCheckButton;
    add_control addVerticalSlider, addHorizontalSlider, addNumEntry;
    void (*declare)(void *, float *, const char *, const char *);
} UIGlue;

<< includeIntrinsic >> << includeclass >>

    void *benchmark_create(int rate) {
    mydsp *dsp = newmydsp();
    initmydsp(dsp, rate);
    return dsp;
}

void benchmark_compute(void *dsp, int frames, float **inputs, float **outputs) {
    computemydsp(dsp, frames, inputs, outputs);
}

void benchmark_destroy(void *dsp) { deletemydsp(dsp); }
