/* libsndfile and libsamplerate, each loaded by the first call of one of its functions, which keep
 * their names: a program that opens no sound file loads neither.
 *
 * Where a library cannot be loaded, sf_open, sf_open_fd, sf_open_virtual and src_new return NULL,
 * and sf_strerror and src_strerror say why. [any thread]
 */
#ifndef BACKLINE_SOUND_LIBRARIES_H
#define BACKLINE_SOUND_LIBRARIES_H

#include <samplerate.h>
#include <sndfile.h>
#include <stdbool.h>

/* Opens the sound file of a descriptor positioned at its beginning, which stays the caller's; the
   position is shared. For a WAV file that its recorder has not finished, whose header says that it
   is empty, all frames are there, and `is_unfinished` is true. NULL as sf_open_fd. [control] */
SNDFILE *bl_sound_open(int descriptor, SF_INFO *info, bool *is_unfinished);

#endif
