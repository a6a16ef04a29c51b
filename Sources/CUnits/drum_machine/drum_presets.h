/* The drum machine's kits. */
#pragma once

#include "base/built_in.h"
#include "drum_machine/drum_machine.h"

/* A setting of a voice: SET(KICK, DECAY, 1). */
#define SET(VOICE, SETTING, VALUE)                                                                 \
    { BL_DRUM_PARAMETER(BL_DRUM_##VOICE, BL_DRUM_##SETTING), VALUE }
#define NINE(VOICE) SET(VOICE, MODEL, 1)
/* The kits are equally loud. */
#define KIT(level)                                                                                 \
    { KIT_LEVEL, level }
#define ALL_NINE                                                                                   \
    NINE(KICK), NINE(SNARE), NINE(RIM), NINE(CLAP), NINE(CLOSED_HAT), NINE(OPEN_HAT),              \
        NINE(LOW_TOM), NINE(MID_TOM), NINE(HIGH_TOM), NINE(CRASH), NINE(RIDE), NINE(COWBELL),      \
        NINE(CLAVES), NINE(SHAKER)

static const bl_factory_preset presets[] = {
    BL_PRESET("Eight", SET(KICK, DECAY, 1.2f)),
    BL_PRESET("Nine", ALL_NINE, SET(KICK, DECAY, 0.5f), SET(SNARE, DECAY, 0.35f)),
    /* A bass drum that is the bass line, and hats for rolls. */
    BL_PRESET("Trap", KIT(-6), SET(KICK, DECAY, 3.5f), SET(KICK, TONE, 65), NINE(SNARE),
              SET(SNARE, TUNE, 3), SET(SNARE, DECAY, 0.25f), SET(CLAP, DECAY, 0.3f),
              NINE(CLOSED_HAT), SET(CLOSED_HAT, DECAY, 0.06f), NINE(OPEN_HAT),
              SET(OPEN_HAT, DECAY, 0.4f), SET(CRASH, DECAY, 3)),
    BL_PRESET("House", KIT(-2), ALL_NINE, SET(KICK, DECAY, 0.45f), SET(KICK, TONE, 60),
              SET(CLAP, DECAY, 0.5f), SET(CLOSED_HAT, DECAY, 0.08f), SET(OPEN_HAT, DECAY, 0.45f),
              SET(SHAKER, LEVEL, 4)),
    BL_PRESET("Techno", ALL_NINE, SET(KICK, TUNE, -2), SET(KICK, DECAY, 0.7f), SET(KICK, TONE, 80),
              SET(SNARE, DECAY, 0.2f), SET(RIM, TUNE, 5), SET(RIM, DECAY, 0.1f),
              SET(CLOSED_HAT, DECAY, 0.05f), SET(CLOSED_HAT, TONE, 70), SET(OPEN_HAT, DECAY, 0.3f),
              SET(OPEN_HAT, TONE, 70), SET(RIDE, LEVEL, 3)),
    BL_PRESET("Electro", KIT(-1.5f), SET(KICK, TUNE, 3), SET(KICK, DECAY, 0.5f),
              SET(KICK, TONE, 70), SET(SNARE, TUNE, 2), SET(SNARE, DECAY, 0.25f),
              SET(SNARE, TONE, 65), SET(CLAP, DECAY, 0.3f), SET(CLOSED_HAT, DECAY, 0.07f),
              SET(COWBELL, LEVEL, 3), SET(LOW_TOM, DECAY, 0.9f), SET(MID_TOM, DECAY, 0.8f),
              SET(HIGH_TOM, DECAY, 0.7f)),
    BL_PRESET("Minimal", KIT(2), SET(KICK, DECAY, 0.25f), SET(KICK, TONE, 70), SET(SNARE, TUNE, 7),
              SET(SNARE, DECAY, 0.1f), SET(RIM, DECAY, 0.04f), SET(CLAP, DECAY, 0.12f),
              SET(CLOSED_HAT, DECAY, 0.03f), SET(OPEN_HAT, DECAY, 0.15f), SET(LOW_TOM, DECAY, 0.2f),
              SET(MID_TOM, DECAY, 0.18f), SET(HIGH_TOM, DECAY, 0.15f), SET(CLAVES, DECAY, 0.05f),
              SET(SHAKER, DECAY, 0.06f)),
    /* Toms and snare as large as the gated halls that they were once played through. */
    BL_PRESET("Neon", ALL_NINE, SET(KICK, DECAY, 0.4f), SET(SNARE, TUNE, -3),
              SET(SNARE, DECAY, 0.8f), SET(SNARE, TONE, 65), SET(LOW_TOM, TUNE, -2),
              SET(LOW_TOM, DECAY, 1.2f), SET(MID_TOM, TUNE, -2), SET(MID_TOM, DECAY, 1.1f),
              SET(HIGH_TOM, TUNE, -2), SET(HIGH_TOM, DECAY, 1), SET(CRASH, DECAY, 4)),
    BL_PRESET("Bedroom", KIT(0), SET(KICK, TUNE, 2), SET(KICK, DECAY, 0.35f), SET(KICK, TONE, 20),
              SET(SNARE, TUNE, -2), SET(SNARE, TONE, 30), NINE(RIM), SET(RIM, TONE, 20),
              SET(CLAP, TONE, 20), SET(CLOSED_HAT, TONE, 15), SET(CLOSED_HAT, DECAY, 0.08f),
              SET(OPEN_HAT, TONE, 15), SET(OPEN_HAT, DECAY, 0.4f), SET(CRASH, TONE, 20),
              SET(RIDE, TONE, 20), SET(SHAKER, TONE, 20)),
    /* Drums for fingers: rim, claves, cowbell and shaker in front. */
    BL_PRESET("Bossa", KIT(3), SET(KICK, TUNE, 5), SET(KICK, DECAY, 0.3f), SET(KICK, LEVEL, -3),
              SET(SNARE, LEVEL, -4), SET(SNARE, DECAY, 0.15f), SET(RIM, DECAY, 0.08f),
              SET(RIM, LEVEL, 3), NINE(CLAVES), SET(CLAVES, DECAY, 0.12f), SET(CLAVES, LEVEL, 3),
              NINE(SHAKER), SET(SHAKER, LEVEL, 5), SET(CLOSED_HAT, LEVEL, -3),
              SET(LOW_TOM, TUNE, 5), SET(MID_TOM, TUNE, 5), SET(HIGH_TOM, TUNE, 5)),
    /* Everything low and long. */
    BL_PRESET("Slow Motion", KIT(-4.5f), ALL_NINE, SET(KICK, TUNE, -7), SET(KICK, DECAY, 2),
              SET(SNARE, TUNE, -9), SET(SNARE, DECAY, 1.2f), SET(CLAP, DECAY, 1.5f),
              SET(CLOSED_HAT, TUNE, -12), SET(CLOSED_HAT, DECAY, 0.3f), SET(OPEN_HAT, TUNE, -12),
              SET(OPEN_HAT, DECAY, 2), SET(LOW_TOM, TUNE, -7), SET(LOW_TOM, DECAY, 2.5f),
              SET(MID_TOM, TUNE, -7), SET(MID_TOM, DECAY, 2.2f), SET(HIGH_TOM, TUNE, -7),
              SET(HIGH_TOM, DECAY, 2), SET(CRASH, TUNE, -7), SET(CRASH, DECAY, 6)),
};
