/* Functions of eight numbers at once, like those of exp2.h and sine.h for one. */
#pragma once

#include "lanes.h"

/* Limits each lane to a range; NaN becomes its lower end. [render] */
BL_INLINE void bl_lanes_limit(bl_lanes *lanes, float least, float most) BL_NONBLOCKING {
    bl_lanes x = *lanes;
    x = x > least ? x : least;
    *lanes = x < most ? x : most;
}

/* Replaces each lane x by 2^x, like bl_exp2. [render] */
BL_INLINE void bl_lanes_exp2(bl_lanes *lanes) BL_NONBLOCKING {
    bl_lanes x = *lanes;
    x = x > -126.0f ? x : -126.0f;
    x = x < 127.0f ? x : 127.0f;
    bl_lanes shifted = x + 12582912.0f;
    bl_lanes fraction = x - (shifted - 12582912.0f);
    bl_lanes_uint whole = ((bl_lanes_uint)shifted + 127u) << 23;
    bl_lanes sum = 0.00132647290959f * fraction + 0.00967151263984f;
    sum = sum * fraction + 0.0555073373725f;
    sum = sum * fraction + 0.240222420855f;
    sum = sum * fraction + 0.693146977603f;
    sum = sum * fraction + 1.0f;
    *lanes = sum * (bl_lanes)whole;
}

/* The sines of phases of 2^32 to the turn: bl_sine. [render] */
BL_INLINE void bl_lanes_sine(const bl_lanes_uint *phases, bl_lanes *sines) BL_NONBLOCKING {
    bl_lanes_uint from_crest = *phases - 0x40000000u;
    bl_lanes_uint distance = (bl_lanes_int)from_crest < 0 ? 0u - from_crest : from_crest;
    bl_lanes_int folded = (bl_lanes_int)(0x40000000u - distance);
    bl_lanes x = __builtin_convertvector(folded, bl_lanes) * 0x1p-30f;
    bl_lanes square = x * x;
    bl_lanes sum = 0.000151485130966f * square - 0.00467376661296f;
    sum = sum * square + 0.0796896789482f;
    sum = sum * square - 0.6459637106f;
    sum = sum * square + 1.57079631845f;
    *sines = sum * x;
}
