/* MIDI channel numbers from 1, for display. */
#pragma once

/* The value strings of a channel parameter. */
#define BL_CHANNEL_NAMES                                                                           \
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16"
