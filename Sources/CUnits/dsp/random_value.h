/* Random values as a function of a seed and an index, in any order. */
#pragma once

#include <stdint.h>

#include "inline.h"

/* Mixes bits so that every result bit depends on each of `bits`: the finaliser of Sebastiano
   Vigna's SplitMix64, 2015. [any] */
BL_INLINE uint64_t bl_mix_bits(uint64_t bits) BL_NONBLOCKING {
    bits += 0x9E3779B97F4A7C15u;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}

/* The random value of an index, -1 to below 1. [any] */
BL_INLINE float bl_random_value(uint64_t seed, int64_t place) BL_NONBLOCKING {
    uint64_t bits = bl_mix_bits(bl_mix_bits(seed) ^ (uint64_t)place);
    return (float)(int32_t)(uint32_t)(bits >> 40) * 0x1p-23f - 1.0f;
}
