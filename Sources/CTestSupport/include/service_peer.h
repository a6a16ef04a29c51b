/* A unit's process that a test simulates: this code answers the host's calls, and the test answers
   the requests to render. */
#ifndef BACKLINE_TEST_SERVICE_PEER_H
#define BACKLINE_TEST_SERVICE_PEER_H

#include "unit_service/link.h"

typedef struct bl_test_peer bl_test_peer;

/* Creates a peer, with a link to a unit of `descriptor` with render resources for one channel and
   cycles of 64 frames. `preceding` (or NULL) is the peer whose output is the unit's input. NULL on
   failure. */
bl_test_peer *bl_test_peer_create(const bl_unit_descriptor *descriptor, bl_test_peer *preceding);
void bl_test_peer_destroy(bl_test_peer *peer);

/* The host's side of a cycle of 64 frames; each sample of the input is `input`. */
void bl_test_peer_begin(bl_test_peer *peer, int64_t time, float input, bl_test_peer *preceding);
bl_status bl_test_peer_render(bl_test_peer *peer, int64_t time, float input, float *output);

/* The process's side: the posted request, the source of its input, and the claim of a request. */
uint32_t bl_test_peer_posted(const bl_test_peer *peer);
uint32_t bl_test_peer_source(const bl_test_peer *peer);
bool bl_test_peer_claim(bl_test_peer *peer, uint32_t sequence);
/* Writes the output, each sample of which is `output`, and answers the request. */
void bl_test_peer_answer(bl_test_peer *peer, uint32_t sequence, float output);
/* The sample time and the input of the request. */
int64_t bl_test_peer_time(const bl_test_peer *peer);
float bl_test_peer_input(const bl_test_peer *peer);
/* Whether the unit's memory can be mapped for writing, or its pages freed. */
bool bl_test_peer_is_open_to_writers(const bl_test_peer *peer);

#endif
