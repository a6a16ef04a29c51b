/* A playing model: its sizes, at the sound's rate. */
#pragma once

#include "base/swap_slot.h"
#include "neural_amp/amp_file.h"
#include "neural_amp/converter.h"
#include "neural_amp/lstm.h"
#include "neural_amp/network.h"

/* One size: a network or an LSTM, with a converter if the rates differ. */
typedef struct bl_amp_engine {
    bl_amp_network *network;
    bl_amp_lstm *lstm;
    bool converts;
    bl_amp_converter converter;
    float *converted; /* a chunk at the model's rate */
    uint32_t reach;   /* frames of sound after which input has no more effect */
} bl_amp_engine;

typedef struct bl_amp_model {
    bl_swapped swapped;
    bl_amp_engine engines[BL_AMP_SIZES];
    bl_amp_facts facts[BL_AMP_SIZES];
    uint32_t size_count;
} bl_amp_model;

/* Creates a model; NULL when memory is short, or would be. [control] */
bl_amp_model *bl_amp_model_create(const bl_amp_file *file, double sample_rate,
                                  uint32_t channel_count);
void bl_amp_model_destroy(void *object);

/* [render or idle] */
void bl_amp_engine_reset(bl_amp_engine *engine) BL_NONBLOCKING;
/* The latency in frames, at the sound's rate. */
uint32_t bl_amp_engine_latency(const bl_amp_engine *engine) BL_NONBLOCKING;
/* Processes BL_AMP_CHUNK frames at most. Output and input may be the same. [render] */
void bl_amp_engine_process(bl_amp_engine *engine, uint32_t channel, const float *input,
                           float *output, uint32_t frames) BL_NONBLOCKING;
