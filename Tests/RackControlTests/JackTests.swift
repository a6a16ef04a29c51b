import Testing

/// Tests at a JACK server, one at a time.
@Suite(.serialized) struct JackTests {}
