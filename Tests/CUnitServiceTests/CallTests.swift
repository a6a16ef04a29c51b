import CUnit
import CUnitService
import Glibc
import Testing

/// Calls to a process that answers, does not answer, or has ended.
@Suite struct CallTests {
  /// Returns a process and the other end of its socket.
  private func connected() throws -> (process: OpaquePointer, peer: Int32) {
    var sockets: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &sockets) == 0)
    return (try #require(bl_service_process_create(sockets[0])), sockets[1])
  }

  private func ask(_ process: OpaquePointer, timeout: UInt32) -> (Bool, bl_service_reply) {
    var call = bl_service_call()
    call.verb = BL_SERVICE_DEALLOCATE.rawValue
    var reply = bl_service_reply()
    return (bl_service_process_ask(process, &call, nil, nil, 0, timeout, &reply), reply)
  }

  private func message(_ reply: bl_service_reply) -> String {
    withUnsafeBytes(of: reply.message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  @Test func aReplyComesBack() throws {
    let (process, peer) = try connected()
    var reply = bl_service_reply()
    (reply.status, reply.thread) = (bl_status(BL_ERROR_NO_SUCH_ELEMENT), 42)
    #expect(send(peer, &reply, MemoryLayout<bl_service_reply>.size, 0) > 0)
    let (isAnswered, answer) = ask(process, timeout: 10_000)
    #expect(isAnswered && answer.status == bl_status(BL_ERROR_NO_SUCH_ELEMENT))
    #expect(bl_service_process_thread(process) == 42)
    close(peer)
    bl_service_process_release(process)
  }

  @Test func aProcessThatDoesNotAnswerCountsAsDead() throws {
    let (process, peer) = try connected()
    let (isAnswered, reply) = ask(process, timeout: 20)
    #expect(!isAnswered && reply.status == bl_status(BL_ERROR_UNAVAILABLE))
    #expect(message(reply) == "its process does not answer")
    #expect(bl_service_process_is_dead(process))
    #expect(message(ask(process, timeout: 600_000).1) == "its process has ended")
    close(peer)
    bl_service_process_release(process)
  }

  @Test func aReplyOfAnotherLengthIsNone() throws {
    let (process, peer) = try connected()
    #expect(send(peer, "short", 5, 0) == 5)
    #expect(!ask(process, timeout: 600_000).0 && bl_service_process_is_dead(process))
    close(peer)
    bl_service_process_release(process)
  }

  @Test func aProcessThatHasEndedIsNoticedAtOnce() throws {
    let (process, peer) = try connected()
    close(peer)
    let (isAnswered, reply) = ask(process, timeout: 600_000)
    #expect(!isAnswered && message(reply) == "its process has ended")
    bl_service_process_release(process)
  }
}
