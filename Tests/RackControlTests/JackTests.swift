import Testing

/// Tests at a JACK server, one at a time.
@Suite(.serialized, .timeLimit(.minutes(10))) struct JackTests {}
