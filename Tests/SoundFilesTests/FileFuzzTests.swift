import BacklineTestSupport
import Testing

/// Readers survive mutated files of every kind; `make soak` has a longer run.
@Suite struct FileFuzzTests {
  @Test func mutatedFilesAreReadOrRefused() throws {
    for result in try FileFuzz().run(count: 100, seed: 12) {
      #expect(result.accepted < result.files, "no mutation of \(result.kind) did any harm")
    }
  }
}
