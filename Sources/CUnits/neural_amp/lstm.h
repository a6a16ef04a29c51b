/* Computes a model with long short-term memory (S. Hochreiter and J. Schmidhuber, "Long short-term
   memory", 1997), for one or two channels of sound. */
#pragma once

#include "backline/attributes.h"
#include "neural_amp/plan.h"

typedef struct bl_amp_lstm bl_amp_lstm;

/* Creates a model. `multiple`: the sound's rate over the model's; so many models process frames in
   turn. `model_rate` in Hz. NULL when memory is short. [control] */
bl_amp_lstm *bl_amp_lstm_create(const bl_amp_plan *plan, uint32_t multiple, uint32_t channel_count,
                                double model_rate);
void bl_amp_lstm_destroy(bl_amp_lstm *lstm);

/* Resets to the state after half a second of silence. [render or idle] */
void bl_amp_lstm_reset(bl_amp_lstm *lstm) BL_NONBLOCKING;
/* Processes frames; output and input may be the same. [render] */
void bl_amp_lstm_process(bl_amp_lstm *lstm, uint32_t channel, const float *input, float *output,
                         uint32_t frames) BL_NONBLOCKING;
