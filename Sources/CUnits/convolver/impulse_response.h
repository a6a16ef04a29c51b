/* An impulse response: read from a sound file, resampled, and made ready for convolution. */
#pragma once

#include <stdbool.h>

#include "base/swap_slot.h"
#include "dsp/partition.h"

enum { BL_RESPONSE_LONGEST = 30 /* seconds */ };

/* What a file holds: channels × frames. */
typedef struct bl_impulse_response {
    uint32_t channels, frames;
    uint32_t sample_rate; /* Hz */
    float *samples;
} bl_impulse_response;

/* Reads a sound file. NULL, and the reason in `message`, where that fails. [control] */
bl_impulse_response *bl_impulse_response_read(const char *path, char *message, size_t message_size);
/* The same sound at another rate: its spectrum stays what it is below half of either rate. With a
   `stretch` other than 1 it lasts so many times as long, and sounds as much lower. NULL when memory
   is short. [control] */
bl_impulse_response *bl_impulse_response_resampled(const bl_impulse_response *response,
                                                   uint32_t sample_rate, double stretch);
void bl_impulse_response_destroy(bl_impulse_response *response);

/* How loud a response is made. */
typedef enum bl_response_level {
    BL_RESPONSE_AS_IS,
    BL_RESPONSE_ENERGY,  /* white noise comes out as loud as it goes in */
    BL_RESPONSE_LOUDNESS /* pink noise does, to the ear (ITU-R BS.1770-5) */
} bl_response_level;

/* The part of a response that is heard, and how. */
typedef struct bl_response_trim {
    float start;   /* share of the whole, 0 to 1 */
    float length;  /* share of what is left */
    float longest; /* seconds */
    float decay;   /* dB by which the end is louder than it was: 0 or less */
    bool reverse;  /* after all of that */
    bl_response_level level;
} bl_response_trim;

/* Columns of a response's picture. */
enum { BL_RESPONSE_COLUMNS = 1024, BL_RESPONSE_SHOWN = 256 };

/* A response and what convolves with it: twice, to prepare another trim while one is heard. */
typedef struct bl_convolution {
    bl_swapped swapped;
    uint32_t frames, output_count, path_count;
    double sample_rate;
    float *samples;   /* paths × frames */
    double *energies; /* of all paths' frames before each multiple of BL_ENERGY_STEP */
    float loudness;   /* of pink noise through the whole, against an impulse of the same energy */
    float peaks[BL_RESPONSE_COLUMNS]; /* of all paths, over equal parts of the whole */
    struct {
        bl_partition partition;
        bl_response_trim trim;
        uint32_t start, end; /* frames */
        float gain;
        bool prepared;
    } engines[2];
} bl_convolution;

enum { BL_ENERGY_STEP = 64 };

/* How much louder pink noise is to the ear, as a factor of the amplitude, after responses (paths ×
   frames) than after an impulse with their energy. [control] */
double bl_response_loudness(const float *samples, uint32_t paths, uint32_t frames,
                            double sample_rate);

/* Prepares a file's sound for so many channels. A file of one channel is heard through all of them;
   one of four holds left to left, left to right, right to left, right to right. `align` leaves out
   what comes before the first loud frame. NULL when memory is short. [control] */
bl_convolution *bl_convolution_create(const bl_impulse_response *response, double sample_rate,
                                      double stretch, uint32_t input_count, uint32_t output_count,
                                      bool align);
void bl_convolution_destroy(void *convolution);

/* Begins to prepare an engine for a trim. [render or idle] */
void bl_convolution_begin(bl_convolution *convolution, uint32_t engine,
                          const bl_response_trim *trim) BL_NONBLOCKING;
/* Goes on by some grains; true once it is prepared. [render or idle] */
bool bl_convolution_prepare(bl_convolution *convolution, uint32_t engine,
                            int32_t grains) BL_NONBLOCKING;

/* The peaks of what an engine plays, over BL_RESPONSE_SHOWN equal parts of it, in the order of
   time; returns their number. [render] */
uint32_t bl_convolution_fill_waveform(const bl_convolution *convolution, uint32_t engine,
                                      float *values) BL_NONBLOCKING;
