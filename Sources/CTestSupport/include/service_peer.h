/* A unit's process that a test plays: its calls are answered here, and its requests by the test. */
#ifndef BACKLINE_TEST_SERVICE_PEER_H
#define BACKLINE_TEST_SERVICE_PEER_H

#include "unit_service/link.h"

typedef struct bl_test_peer bl_test_peer;

/* With a link of one channel and 64 frames a cycle to a unit of these tables, allocated;
   `preceding` (NULL: none) is a peer whose output is the unit's input. NULL when that fails. */
bl_test_peer *bl_test_peer_create(const bl_unit_descriptor *descriptor, bl_test_peer *preceding);
void bl_test_peer_destroy(bl_test_peer *peer);

/* The host's side of a cycle of 64 frames whose input is `input`. */
void bl_test_peer_begin(bl_test_peer *peer, int64_t time, float input, bl_test_peer *preceding);
bl_status bl_test_peer_render(bl_test_peer *peer, int64_t time, float input, float *output);

/* The process's side. */
uint32_t bl_test_peer_posted(const bl_test_peer *peer);
uint32_t bl_test_peer_source(const bl_test_peer *peer);
bool bl_test_peer_claim(bl_test_peer *peer, uint32_t sequence);
/* Writes an output and answers. */
void bl_test_peer_answer(bl_test_peer *peer, uint32_t sequence, float output);
/* Of the request. */
int64_t bl_test_peer_time(const bl_test_peer *peer);
float bl_test_peer_input(const bl_test_peer *peer);
/* Whether the unit's memory can be mapped for writing, or its pages freed. */
bool bl_test_peer_is_open_to_writers(const bl_test_peer *peer);

#endif
