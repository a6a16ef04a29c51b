/* The voices, after two drum machines of the early eighties. Their circuits: Kurt James Werner,
   Jonathan Abel and Julius Smith, "A physically-informed, circuit-bendable, digital model of the
   Roland TR-808 bass drum circuit", DAFx 2014, and "The TR-808 cymbal", ICMC 2014. */
#include "drum_machine/drum_design.h"

/* The six oscillators that hats, cymbals and cowbell share, Hz. */
#define METAL                                                                                      \
    { 205.3f, 304.4f, 369.6f, 522.7f, 540.0f, 800.0f }
/* Oscillators further apart, for a brighter metal. */
#define BRIGHT_METAL                                                                               \
    { 263.0f, 400.0f, 421.0f, 474.0f, 587.0f, 845.0f }
#define ALIKE                                                                                      \
    { 1, 1, 1, 1, 1, 1 }

/* The three toms differ only in pitch. */
#define SOFT_TOM(pitch)                                                                            \
    {                                                                                              \
        .frequencies = {pitch}, .levels = {1}, .sweep = 0.35f, .sweep_time = 0.03f,                \
        .attack = 0.0005f, .layers = {                                                             \
            {BL_DRUM_SINES, .level = 0.5f},                                                        \
            {BL_DRUM_NOISE, .level = 0.08f, .longest = 0.15f, .low_cut = 150, .high_cut = 1200,    \
             .tone = 12},                                                                          \
        }                                                                                          \
    }
#define HARD_TOM(pitch)                                                                            \
    {                                                                                              \
        .frequencies = {pitch, 1.5f * (pitch), 2.77f * (pitch)}, .levels = {1, 0.35f, 0.12f},      \
        .sweep = 0.8f, .sweep_time = 0.035f, .attack = 0.0005f, .layers = {                        \
            {BL_DRUM_SINES, .level = 0.42f},                                                       \
            {BL_DRUM_NOISE, .level = 0.2f, .longest = 0.03f, .low_cut = 300, .high_cut = 5000,     \
             .tone = 12},                                                                          \
        }                                                                                          \
    }

/* An open hat differs from a closed one only by its length. */
#define SOFT_HAT                                                                                   \
    {                                                                                              \
        .frequencies = METAL, .levels = ALIKE, .attack = 0.0005f, .layers = {                      \
            {BL_DRUM_SQUARES, .level = 0.45f, .low_cut = 7000, .high_cut = 12000, .shift = 0.5f},  \
        }                                                                                          \
    }
#define HARD_HAT                                                                                   \
    {                                                                                              \
        .frequencies = BRIGHT_METAL, .levels = ALIKE, .attack = 0.0002f, .layers = {               \
            {BL_DRUM_SQUARES, .level = 0.2f, .low_cut = 7500, .high_cut = 12000, .shift = 0.4f},   \
            {BL_DRUM_NOISE, .level = 0.25f, .low_cut = 7500, .high_cut = 12000, .shift = 0.4f,     \
             .tone = 6},                                                                           \
        }                                                                                          \
    }

const bl_drum_design bl_drum_designs[BL_DRUM_VOICES][BL_DRUM_MODELS] = {
    [BL_DRUM_KICK] = {{.frequencies = {49},
                       .levels = {1},
                       .sweep = 1.6f,
                       .sweep_time = 0.006f,
                       .attack = 0.0005f,
                       .layers = {{BL_DRUM_SINES, .level = 0.7f},
                                  {BL_DRUM_NOISE, .level = 0.12f, .longest = 0.012f,
                                   .high_cut = 3000, .tone = 14, .shift = 0.5f}}},
                      {.frequencies = {52},
                       .levels = {1},
                       .sweep = 4.5f,
                       .sweep_time = 0.018f,
                       .attack = 0.0003f,
                       .layers = {{BL_DRUM_SINES, .level = 0.7f},
                                  {BL_DRUM_NOISE, .level = 0.3f, .longest = 0.015f,
                                   .high_cut = 5000, .tone = 14, .shift = 0.5f}}}},
    [BL_DRUM_SNARE] = {{.frequencies = {180, 330},
                        .levels = {1, 0.6f},
                        .sweep = 0.25f,
                        .sweep_time = 0.006f,
                        .attack = 0.0003f,
                        .layers = {{BL_DRUM_NOISE, .level = 0.4f, .low_cut = 1500, .high_cut = 9000,
                                    .tone = 9, .shift = 0.3f},
                                   {BL_DRUM_SINES, .level = 0.28f, .longest = 0.2f, .tone = -4}}},
                       {.frequencies = {185, 286},
                        .levels = {1, 0.7f},
                        .sweep = 0.9f,
                        .sweep_time = 0.012f,
                        .attack = 0.0003f,
                        .layers = {{BL_DRUM_NOISE, .level = 0.4f, .low_cut = 800, .high_cut = 11000,
                                    .tone = 9, .shift = 0.3f},
                                   {BL_DRUM_SINES, .level = 0.28f, .longest = 0.15f, .tone = -4}}}},
    [BL_DRUM_RIM] = {{.frequencies = {455, 1667},
                      .levels = {0.6f, 1},
                      .attack = 0.0001f,
                      .layers = {{BL_DRUM_SINES, .level = 0.25f},
                                 {BL_DRUM_NOISE, .level = 0.15f, .longest = 0.006f, .low_cut = 2000,
                                  .tone = 12}}},
                     {.frequencies = {221, 517, 1032},
                      .levels = {0.5f, 1, 0.8f},
                      .attack = 0.0001f,
                      .layers = {{BL_DRUM_SINES, .level = 0.22f},
                                 {BL_DRUM_NOISE, .level = 0.2f, .longest = 0.008f, .low_cut = 1500,
                                  .tone = 12}}}},
    [BL_DRUM_CLAP] = {{.attack = 0.0003f,
                       .layers = {{BL_DRUM_NOISE, .level = 1.2f, .longest = 0.03f, .low_cut = 1000,
                                   .high_cut = 1200, .resonance = 3, .shift = 0.5f, .bursts = 3},
                                  {BL_DRUM_NOISE, .level = 0.5f, .low_cut = 1000, .high_cut = 1200,
                                   .resonance = 3, .shift = 0.5f}}},
                      {.attack = 0.0003f,
                       .layers = {{BL_DRUM_NOISE, .level = 0.9f, .longest = 0.025f, .low_cut = 900,
                                   .high_cut = 2500, .shift = 0.5f, .bursts = 3},
                                  {BL_DRUM_NOISE, .level = 0.35f, .low_cut = 900, .high_cut = 2500,
                                   .shift = 0.5f}}}},
    [BL_DRUM_CLOSED_HAT] = {SOFT_HAT, HARD_HAT},
    [BL_DRUM_OPEN_HAT] = {SOFT_HAT, HARD_HAT},
    [BL_DRUM_LOW_TOM] = {SOFT_TOM(88), HARD_TOM(92)},
    [BL_DRUM_MID_TOM] = {SOFT_TOM(128), HARD_TOM(134)},
    [BL_DRUM_HIGH_TOM] = {SOFT_TOM(180), HARD_TOM(190)},
    [BL_DRUM_CRASH] =
        {{.frequencies = METAL,
          .levels = ALIKE,
          .attack = 0.001f,
          .layers = {{BL_DRUM_SQUARES, .level = 0.2f, .low_cut = 7500, .shift = 0.3f, .tone = 4},
                     {BL_DRUM_SQUARES, .level = 0.09f, .longest = 0.6f, .low_cut = 2600,
                      .high_cut = 4200, .tone = -6}}},
         {.frequencies = BRIGHT_METAL,
          .levels = ALIKE,
          .attack = 0.001f,
          .layers = {{BL_DRUM_NOISE, .level = 0.25f, .low_cut = 5500, .high_cut = 11000,
                      .shift = 0.3f, .tone = 4},
                     {BL_DRUM_SQUARES, .level = 0.09f, .low_cut = 5000, .shift = 0.3f},
                     {BL_DRUM_SQUARES, .level = 0.06f, .longest = 0.4f, .low_cut = 1500,
                      .high_cut = 4000, .tone = -6}}}},
    [BL_DRUM_RIDE] =
        {{.frequencies = METAL,
          .levels = ALIKE,
          .attack = 0.0005f,
          .layers = {{BL_DRUM_SQUARES, .level = 0.1f, .low_cut = 5000, .high_cut = 9000,
                      .shift = 0.3f, .tone = 4},
                     {BL_DRUM_SQUARES, .level = 0.12f, .longest = 0.08f, .low_cut = 3000,
                      .tone = -4}}},
         {.frequencies = BRIGHT_METAL,
          .levels = ALIKE,
          .attack = 0.0002f,
          .layers = {{BL_DRUM_SQUARES, .level = 0.09f, .low_cut = 6000, .shift = 0.3f, .tone = 4},
                     {BL_DRUM_SQUARES, .level = 0.12f, .longest = 0.12f, .low_cut = 2500,
                      .high_cut = 7000, .tone = -4},
                     {BL_DRUM_NOISE, .level = 0.2f, .longest = 0.03f, .low_cut = 6000}}}},
    [BL_DRUM_COWBELL] = {{.frequencies = {540, 800},
                          .levels = {1, 1},
                          .attack = 0.0005f,
                          .layers = {{BL_DRUM_SQUARES, .level = 0.09f, .low_cut = 500,
                                      .high_cut = 2600, .resonance = 3, .shift = 0.4f},
                                     {BL_DRUM_SQUARES, .level = 0.1f, .longest = 0.04f,
                                      .low_cut = 500, .high_cut = 2600, .resonance = 3,
                                      .shift = 0.4f}}},
                         {.frequencies = {562, 845},
                          .levels = {1, 1},
                          .attack = 0.0002f,
                          .layers = {{BL_DRUM_SQUARES, .level = 0.08f, .low_cut = 700,
                                      .high_cut = 5000, .shift = 0.4f},
                                     {BL_DRUM_SQUARES, .level = 0.1f, .longest = 0.03f,
                                      .low_cut = 700, .high_cut = 6000, .shift = 0.4f}}}},
    [BL_DRUM_CLAVES] = {{.frequencies = {2500},
                         .levels = {1},
                         .attack = 0.0002f,
                         .layers = {{BL_DRUM_SINES, .level = 0.5f},
                                    {BL_DRUM_NOISE, .level = 0.1f, .longest = 0.004f,
                                     .low_cut = 3000, .tone = 12}}},
                        {.frequencies = {1900, 2930},
                         .levels = {1, 0.4f},
                         .attack = 0.0002f,
                         .layers = {{BL_DRUM_SINES, .level = 0.4f},
                                    {BL_DRUM_NOISE, .level = 0.2f, .longest = 0.004f,
                                     .low_cut = 2000, .tone = 12}}}},
    [BL_DRUM_SHAKER] = {{.attack = 0.006f,
                         .layers = {{BL_DRUM_NOISE, .level = 0.25f, .low_cut = 5500,
                                     .high_cut = 12000, .shift = 0.4f}}},
                        {.attack = 0.02f,
                         .layers = {{BL_DRUM_NOISE, .level = 0.45f, .low_cut = 3500,
                                     .high_cut = 10000, .shift = 0.4f}}}},
};
