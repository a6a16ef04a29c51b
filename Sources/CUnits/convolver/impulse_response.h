/* An impulse response: read from a sound file, resampled, and prepared for convolution. */
#pragma once

#include <stdbool.h>

#include "base/swap_slot.h"
#include "dsp/partition.h"

enum { BL_RESPONSE_LONGEST = 30 /* seconds */ };

/* The contents of a file: channels × frames. */
typedef struct bl_impulse_response {
    uint32_t channels, frames;
    uint32_t sample_rate; /* Hz */
    float *samples;
} bl_impulse_response;

/* Reads a sound file. NULL, and the reason in `message`, on failure. [control] */
bl_impulse_response *bl_impulse_response_read(const char *path, char *message, size_t message_size);
/* Resamples a response: its spectrum stays the same below half of either rate. A `stretch` other
   than 1 multiplies its length, and divides its frequencies. NULL when memory is short.
   [control] */
bl_impulse_response *bl_impulse_response_resampled(const bl_impulse_response *response,
                                                   uint32_t sample_rate, double stretch);
void bl_impulse_response_destroy(bl_impulse_response *response);

/* The normalization of a response's level. */
typedef enum bl_response_level {
    BL_RESPONSE_AS_IS,
    BL_RESPONSE_ENERGY,  /* white noise keeps its power */
    BL_RESPONSE_LOUDNESS /* pink noise keeps its loudness (ITU-R BS.1770-5) */
} bl_response_level;

/* The audible part of a response, and its shape. */
typedef struct bl_response_trim {
    float start;   /* share of the whole, 0 to 1 */
    float length;  /* share of the rest */
    float longest; /* seconds */
    float decay;   /* change of the end's level, dB, 0 or less */
    bool reverse;  /* applied last */
    bl_response_level level;
} bl_response_trim;

/* Columns in a response's waveform. */
enum { BL_RESPONSE_COLUMNS = 1024, BL_RESPONSE_SHOWN = 256 };

/* A response and its convolution engines: two, to prepare another trim while one is heard. */
typedef struct bl_convolution {
    bl_swapped swapped;
    uint32_t frames, output_count, path_count;
    double sample_rate;
    float *samples;   /* paths × frames */
    double *energies; /* of all paths' frames before each multiple of BL_ENERGY_STEP */
    float loudness; /* of pink noise through the whole, relative to an impulse of the same energy */
    float peaks[BL_RESPONSE_COLUMNS]; /* peaks of all paths, over equal parts of the whole */
    struct {
        bl_partition partition;
        bl_response_trim trim;
        uint32_t start, end; /* range in frames */
        float gain;
        bool prepared;
    } engines[2];
} bl_convolution;

enum { BL_ENERGY_STEP = 64 };

/* The loudness of pink noise after responses (paths × frames), relative to an impulse with their
   energy, as a factor of the amplitude. [control] */
double bl_response_loudness(const float *samples, uint32_t paths, uint32_t frames,
                            double sample_rate);

/* Prepares a file's sound for so many channels. A file of one channel applies to all of them; one
   of four has left to left, left to right, right to left, right to right. `align` leaves out
   everything before the first loud frame. NULL when memory is short. [control] */
bl_convolution *bl_convolution_create(const bl_impulse_response *response, double sample_rate,
                                      double stretch, uint32_t input_count, uint32_t output_count,
                                      bool align);
void bl_convolution_destroy(void *convolution);

/* Starts to prepare an engine for a trim. [render or idle] */
void bl_convolution_begin(bl_convolution *convolution, uint32_t engine,
                          const bl_response_trim *trim) BL_NONBLOCKING;
/* Continues by a few grains; true once the engine is prepared. [render or idle] */
bool bl_convolution_prepare(bl_convolution *convolution, uint32_t engine,
                            int32_t grains) BL_NONBLOCKING;

/* Fills in the peaks of an engine's response, over BL_RESPONSE_SHOWN equal parts of it, in the
   order of time; returns the count. [render] */
uint32_t bl_convolution_fill_waveform(const bl_convolution *convolution, uint32_t engine,
                                      float *values) BL_NONBLOCKING;
