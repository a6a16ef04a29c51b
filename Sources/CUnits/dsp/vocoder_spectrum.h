/* The vocoder's work on a spectrum, a stretch of bins at a time. */
#pragma once

#include "dsp/vocoder.h"

/* The bins on each side that a peak exceeds: half of a Hann window's main lobe. */
enum { BL_VOCODER_PEAK_REACH = 4 };

/* Extends the spectrum below the first bin and above the last, as that of a real signal. */
void bl_vocoder_fill_margins(bl_vocoder *vocoder) BL_NONBLOCKING;
/* The powers of the bins. [render] */
void bl_vocoder_fill_powers(bl_vocoder *vocoder, uint32_t first, uint32_t count) BL_NONBLOCKING;
/* Finds the peaks; each owns the bins from the valley before it. [render] */
void bl_vocoder_find_peaks(bl_vocoder *vocoder, uint32_t first, uint32_t count) BL_NONBLOCKING;
/* Draws the envelope of the amplitudes through the peaks that exceed their neighbourhood.
   [render] */
void bl_vocoder_draw_envelope(bl_vocoder *vocoder, uint32_t first, uint32_t count) BL_NONBLOCKING;
/* Detects whether a peak that was just found is a transient's. [render] */
void bl_vocoder_look_for_transient(bl_vocoder *vocoder, bl_vocoder_peak *peak) BL_NONBLOCKING;
/* Finds the time of the transients, from all their peaks. [render] */
void bl_vocoder_time_transients(bl_vocoder *vocoder) BL_NONBLOCKING;
/* Moves the tones' peaks in the stretch, with all their bins, for the present voice. [render] */
void bl_vocoder_move_peaks(bl_vocoder *vocoder, uint32_t first, uint32_t count) BL_NONBLOCKING;
/* Adds the transients' peaks, bin by bin of the present voice. [render] */
void bl_vocoder_move_transients(bl_vocoder *vocoder, uint32_t first, uint32_t count) BL_NONBLOCKING;
