/* A learnt noise: its power in each bin of a window's transform. It outlasts its format, and is the
   denoiser's data. */
#pragma once

#include "backline/unit.h"
#include "base/swap_slot.h"

typedef struct noise_print {
    bl_swapped swapped;
    double sample_rate; /* Hz */
    uint32_t channels;
    uint32_t bins;  /* half a window */
    float powers[]; /* channels × bins */
} noise_print;

/* Creates a print with unset powers, freed by free(). NULL when memory is short. [control] */
noise_print *noise_print_create(double sample_rate, uint32_t channels, uint32_t bins);
/* Converts a print to another format, its powers interpolated by frequency. NULL when memory is
   short. [control] */
noise_print *noise_print_convert(const noise_print *print, double sample_rate, uint32_t channels,
                                 uint32_t bins);

/* Writes a print as data: see noise_print.c. [control] */
bl_status noise_print_save(const noise_print *print, const bl_data_writer *writer);
/* Reads a print from such data; NULL: `message` has the reason. [control] */
noise_print *noise_print_load(const void *bytes, size_t count, char *message, size_t message_size);
