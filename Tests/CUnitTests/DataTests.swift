import BacklineTestSupport
import CUnit
import Foundation
import Testing

/// The data of units is encoded as text.
@Suite struct DataTests {
  private func text(_ bytes: [UInt8]) throws -> String {
    let text = try #require(bl_text_of_data(bytes, bytes.count))
    defer { free(text) }
    return String(cString: text)
  }

  private func bytes(_ text: String) -> (status: bl_status, bytes: [UInt8]) {
    var data = bl_data()
    let status = bl_data_of_text(text, &data)
    defer { free(data.bytes) }
    return (status, Array(UnsafeBufferPointer(start: data.bytes, count: data.count)))
  }

  @Test func readableBytesAreTheirText() throws {
    for plain in ["", "a", "Grüße\n\tan 🎸", "<file:///a b>"] {
      #expect(try text(Array(plain.utf8)) == plain)
      #expect(bytes(plain).bytes == Array(plain.utf8))
    }
  }

  @Test(
    arguments: [[0], [1], [0x7F], [0xC3], [0xED, 0xA0, 0x80], Array("base64:".utf8)] as [[UInt8]])
  func othersAreBase64(data: [UInt8]) throws {
    let text = try text(data)
    #expect(text == "base64:" + Data(data).base64EncodedString())
    #expect(bytes(text) == (0, data))
  }

  @Test func bytesOfEveryKindComeBack() throws {
    for length in 0..<300 {
      let data = (0..<length).map { UInt8(truncatingIfNeeded: length * 31 ^ $0 * 73) }
      #expect(try bytes(text(data)) == (0, data))
    }
  }

  @Test func whatIsNoBase64IsRefused() {
    for text in ["base64:a", "base64:a*==", "base64:====", "base64:AAAAA"] {
      #expect(bytes(text).status == bl_status(BL_ERROR_INVALID_PROPERTY_VALUE), "\(text)")
    }
  }
}
