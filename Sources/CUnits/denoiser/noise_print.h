/* A noise that was learnt: its power in each bin of a window's transform. It outlasts the format
   in which it was learnt, and is the denoiser's data. */
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

/* Without a value for its powers; freed by free. NULL: memory is short. [control] */
noise_print *noise_print_create(double sample_rate, uint32_t channels, uint32_t bins);
/* The same noise in another format, its powers as far apart in frequency as there. NULL: memory is
   short. [control] */
noise_print *noise_print_convert(const noise_print *print, double sample_rate, uint32_t channels,
                                 uint32_t bins);

/* Writes it as data: see noise_print.c. [control] */
bl_status noise_print_save(const noise_print *print, const bl_data_writer *writer);
/* The print of such data; NULL: `message` has the reason. [control] */
noise_print *noise_print_load(const void *bytes, size_t count, char *message, size_t message_size);
