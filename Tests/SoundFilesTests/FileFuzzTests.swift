import BacklineTestSupport
import Testing

/// Readers survive mutated files of every kind; the long run is `make soak`.
@Suite struct FileFuzzTests {
  @Test func mutatedFilesAreReadOrRefused() throws {
    for result in try FileFuzz().run(count: 100, seed: 12) {
      #expect(result.accepted < result.files, "no mutation of \(result.kind) did any harm")
    }
  }
}
