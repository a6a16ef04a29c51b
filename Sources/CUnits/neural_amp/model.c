#include "neural_amp/model.h"

#include <math.h>
#include <stdlib.h>

#include "dsp/chunk.h"

/* The highest multiple of the model's rate that is reached by longer delays, without a
   converter. */
enum { LARGEST_MULTIPLE = 8 };

static void close_engine(bl_amp_engine *engine) {
    bl_amp_network_destroy(engine->network);
    bl_amp_lstm_destroy(engine->lstm);
    bl_amp_converter_close(&engine->converter);
    free(engine->converted);
    *engine = (bl_amp_engine){0};
}

static bool open_engine(bl_amp_engine *engine, const bl_amp_plan *plan, double model_rate,
                        double sample_rate, uint32_t channel_count) {
    double multiple = sample_rate / model_rate;
    engine->converts = multiple != floor(multiple) || multiple > LARGEST_MULTIPLE;
    if (engine->converts) {
        if (!bl_amp_converter_open(&engine->converter, (uint32_t)sample_rate, (uint32_t)model_rate,
                                   BL_AMP_CHUNK, channel_count)) {
            return false;
        }
        engine->converted = calloc(engine->converter.most, sizeof(float));
        if (engine->converted == NULL) {
            return false;
        }
    }
    uint32_t times = engine->converts ? 1 : (uint32_t)multiple;
    if (plan->step_count == 0) {
        engine->lstm = bl_amp_lstm_create(plan, times, channel_count, model_rate);
        engine->reach = (uint32_t)(0.1 * sample_rate);
        return engine->lstm != NULL;
    }
    engine->network = bl_amp_network_create(plan, times, channel_count);
    if (engine->network == NULL) {
        return false;
    }
    engine->reach = bl_amp_network_reach(engine->network);
    if (engine->converts) {
        engine->reach = (uint32_t)(engine->reach * multiple) + 2 * engine->converter.latency;
    }
    return true;
}

bl_amp_model *bl_amp_model_create(const bl_amp_file *file, double sample_rate,
                                  uint32_t channel_count) {
    bl_amp_model *model = calloc(1, sizeof *model);
    if (model == NULL) {
        return NULL;
    }
    model->size_count = file->size_count;
    for (uint32_t size = 0; size < file->size_count; size += 1) {
        model->facts[size] = file->facts[size];
        if (!open_engine(&model->engines[size], &file->plans[size], file->sample_rate, sample_rate,
                         channel_count)) {
            bl_amp_model_destroy(model);
            return NULL;
        }
    }
    return model;
}

void bl_amp_model_destroy(void *object) {
    bl_amp_model *model = object;
    if (model == NULL) {
        return;
    }
    for (uint32_t size = 0; size < BL_AMP_SIZES; size += 1) {
        close_engine(&model->engines[size]);
    }
    free(model);
}

void bl_amp_engine_reset(bl_amp_engine *engine) BL_NONBLOCKING {
    if (engine->converts) {
        bl_amp_converter_reset(&engine->converter);
    }
    if (engine->network != NULL) {
        bl_amp_network_reset(engine->network);
    } else {
        bl_amp_lstm_reset(engine->lstm);
    }
}

uint32_t bl_amp_engine_latency(const bl_amp_engine *engine) BL_NONBLOCKING {
    return engine->converts ? engine->converter.latency : 0;
}

/* Processes frames at the model's rate, or a multiple of it. */
static void process(bl_amp_engine *engine, uint32_t channel, const float *input, float *output,
                    uint32_t frames) BL_NONBLOCKING {
    if (engine->network == NULL) {
        bl_amp_lstm_process(engine->lstm, channel, input, output, frames);
        return;
    }
    uint32_t count;
    for (uint32_t done = 0; done < frames; done += count) {
        count = bl_amp_network_frames(engine->network, channel, frames - done);
        bl_amp_network_process(engine->network, channel, input + done, output + done, count);
    }
}

void bl_amp_engine_process(bl_amp_engine *engine, uint32_t channel, const float *input,
                           float *output, uint32_t frames) BL_NONBLOCKING {
    if (!engine->converts) {
        process(engine, channel, input, output, frames);
        return;
    }
    bl_amp_converter *converter = &engine->converter;
    float *converted = engine->converted;
    uint32_t count =
        bl_amp_way_process(&converter->there, channel, input, frames, converted, converter->most);
    process(engine, channel, converted, converted, count);
    bl_amp_way_process(&converter->back, channel, converted, count, output, frames);
}
