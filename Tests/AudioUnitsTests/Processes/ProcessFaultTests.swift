import AudioUnits
import BacklineTestSupport
import CUnit
import Glibc
import Synchronization
import Testing
import UnitModel

/// A unit's process crashes, hangs or misbehaves, and the host plays on.
@Suite struct ProcessFaultTests {
  /// Renders cycles of 64 frames of ones, about one each millisecond, as a rack's render thread
  /// does.
  private struct Player {
    var rig: UnitRig
    let events: EventLog
    private(set) var last: [[Float]] = []

    init(_ rig: UnitRig) throws {
      self.rig = rig
      events = EventLog(try #require(rig.unit.processEvents))
      rig.unit.setRenderTimeout(200_000_000)
      // Allow many restarts, since a busy machine may look like a fault of the unit.
      rig.unit.processPolicy.restarts = 1000
    }

    /// Plays until `isDone` returns true; returns false after `seconds`. Expects that the output
    /// never exceeds the input.
    mutating func play(
      seconds: Double = 60, until isDone: (inout Player) throws -> Bool
    ) async throws -> Bool {
      let end = ContinuousClock.now + .seconds(seconds)
      let ones = [[Float]](repeating: [Float](repeating: 1, count: 64), count: 2)
      while ContinuousClock.now < end {
        last = try rig.render([ones], frames: 64, cycles: [64])
        let peak = last.joined().map { $0.isFinite ? abs($0) : .infinity }.max() ?? 0
        #expect(peak <= 1.001)
        if try isDone(&self) { return true }
        try await Task.sleep(for: .milliseconds(1))
      }
      return false
    }

    /// Whether the unit's processes have ended at least so many times.
    func hasEnded(_ times: Int = 1) -> Bool {
      events.all.count { if case .ended = $0 { true } else { false } } >= times
    }

    /// Whether another process has replaced the first.
    var hasRestarted: Bool {
      events.all.contains { if case .restarted = $0 { true } else { false } }
    }

    /// The last sample of the last cycle.
    var level: Float { last.first?.last ?? 0 }
  }

  /// - Parameter timeout: the time until the process counts as hung, seconds.
  private func player(timeout: Double = 60) async throws -> Player {
    var player = try Player(await UnitRig("aufx/gain/bkln", options: .loadOutOfProcess))
    player.rig.unit.processPolicy.timeout = timeout
    let gain = try player.rig.address("gain")
    try player.rig.unit.setParameter(gain, to: -6)
    #expect(try await player.play { abs($0.level - 0.501) < 0.001 })
    return player
  }

  /// A wait that lasts too long is ended by the wait monitor, or without permission for that, by a
  /// timer.
  @Test func aWaitThatIsOverItsTimeIsEnded() async throws {
    AudioUnit.endLongWaits(priority: 20, exceptProcessor: 0)
    var player = try await player()
    player.rig.unit.setRenderTimeout(20_000_000, period: 1_000_000)
    let process = try #require(player.rig.unit.processIdentifier)
    for round in UInt64(1)...4 {
      #expect(kill(pid_t(process), SIGSTOP) == 0)
      #expect(try await player.play { $0.rig.unit.processStatistics?.late ?? 0 >= round })
      #expect(kill(pid_t(process), SIGCONT) == 0)
      #expect(try await player.play { abs($0.level - 0.501) < 0.001 })
    }
    #expect(player.rig.unit.processIdentifier == process)
  }

  @Test(arguments: [SIGKILL, SIGSEGV, SIGSTOP, SIGTERM])
  func aProcessThatIsEndedIsReplacedWithAllThatItKnew(_ signal: Int32) async throws {
    var player = try await player(timeout: signal == SIGSTOP ? 0.3 : 60)
    let before = try #require(player.rig.unit.processIdentifier)
    #expect(kill(pid_t(before), signal) == 0)
    #expect(try await player.play { $0.hasEnded() && $0.hasRestarted })
    #expect(try await player.play { abs($0.level - 0.501) < 0.001 })
    // Cycles wait for a stopped process; a killed one may be replaced between two cycles.
    let statistics = try #require(player.rig.unit.processStatistics)
    #expect(signal != SIGSTOP || statistics.late + statistics.absent > 0)
    let after = try #require(player.rig.unit.processIdentifier)
    #expect(after != before)
    #expect(!ProcessTable.runs(before))
  }

  @Test func whatIsSetWhileThereIsNoProcessIsKnownToTheNext() async throws {
    var player = try await player(timeout: 0.3)
    let before = try #require(player.rig.unit.processIdentifier)
    #expect(kill(pid_t(before), SIGSTOP) == 0)
    try player.rig.unit.setParameter(try player.rig.address("gain"), to: -12)
    #expect(try await player.play { abs($0.level - 0.2512) < 0.001 })
  }

  @Test func aProcessThatDiesAgainAndAgainIsGivenUpUntilSomebodySaysOtherwise() async throws {
    var player = try await player()
    player.rig.unit.processPolicy.restarts = 2
    player.rig.unit.processPolicy.window = 3600
    for times in 1...3 {
      #expect(try await player.play { abs($0.level - 0.501) < 0.001 })
      kill(pid_t(try #require(player.rig.unit.processIdentifier)), SIGKILL)
      #expect(try await player.play { $0.hasEnded(times) })
    }
    #expect(try await player.play { $0.events.all.contains(.givenUp(deaths: 3)) })
    // From now on the input is passed through.
    #expect(try await player.play { $0.level > 0.99 })
    #expect(try await !player.play(seconds: 0.5) { $0.level < 0.9 })
    player.rig.unit.restartProcess()
    #expect(try await player.play { abs($0.level - 0.501) < 0.001 })
  }

  /// Builds a bundle whose unit halves its input and runs `fault` in cycle 30.
  private func bundles(_ fault: String) throws -> CatalogueRig {
    let bundles = try CatalogueRig()
    let call =
      "process(self, input.channels, output->channels, segment.first_frame, segment.frame_count);"
    let code: (String) -> String? = {
      """
      #define _GNU_SOURCE
      #include <pthread.h>
      #include <sched.h>
      #include <stdio.h>
      #include <stdlib.h>
      #include <string.h>
      #include <sys/socket.h>
      #include <unistd.h>
      static int asked;
      static float factor = 0.5f;
      """ + "\n"
        + $0.replacing(
          call,
          with: """
            for (uint32_t channel = 0; channel < output->channel_count; channel += 1)
                for (uint32_t frame = 0; frame < segment.frame_count; frame += 1)
                    output->channels[channel][segment.first_frame + frame] =
                        factor * input.channels[channel][segment.first_frame + frame];
            if (++asked == 30) { \(fault) }
            """)
    }
    try bundles.bundle(manifest: { $0.replacing("in_process: true", with: "") }, code: code)
    return bundles
  }

  /// Loading the file takes over ten seconds, while the unit still renders half of its input.
  @Test func aFileMayTakeLongToLoad() async throws {
    let bundles = try CatalogueRig()
    try bundles.bundle(
      manifest: { $0.replacing("in_process: true", with: "") },
      code: {
        $0.replacing("100, BL_CURVE_LINEAR", with: "50, BL_CURVE_LINEAR")
          .replacing("NULL,\n    0, /* properties */", with: "properties,\n    1,")
          .replacing("NULL, /* set_property */", with: "set_property,")
          .replacing(
            "static const char *const tags[]",
            with: """
              #include <unistd.h>
              static const bl_property_info properties[] = {{"file", "File", 0, 0}};
              static bl_status set_property(bl_unit *unit, uint32_t index, const char *value,
                                            char *message, size_t message_size) {
                  sleep(11);
                  return BL_OK;
              }
              static const char *const tags[]
              """)
      })
    var player = try Player(await UnitRig("aufx/tmpl/Demo", in: bundles.catalogue))
    #expect(try await player.play { abs($0.level - 0.5) < 0.001 })
    let unit = player.rig.unit
    let loading = Task.detached { try unit.setProperty("file", to: "long.wav") }
    let isLoaded = try await player.play { _ in unit.propertyValues["file"] == "long.wav" }
    try await loading.value
    #expect(isLoaded && !player.hasEnded())
    #expect(try await player.play { abs($0.level - 0.5) < 0.001 })
  }

  /// The C code of a unit's fault.
  enum Fault: String, CaseIterable {
    case crashes = "*(volatile int *)8 = 1;"
    case loopsForEver = "for (volatile int i = 0;; i += 1) {}"
    case aborts = "abort();"
    case exits = "_exit(3);"
    case eatsMemory =
      "for (;;) { char *p = malloc(1 << 24); if (p == NULL) abort(); memset(p, 1, 1 << 24); }"
    case closesItsSocket = "shutdown(3, SHUT_RDWR); close(3); for (;;) sleep(1);"
    case abortsInAnotherThread =
      "pthread_t t; pthread_create(&t, NULL, (void *(*)(void *))abort, NULL); for (;;) sleep(1);"
    case startsThreads =
      "for (;;) { pthread_t t; pthread_create(&t, NULL, (void *(*)(void *))pause, NULL); }"
    case scribbles = """
      {
        FILE *maps = fopen("/proc/self/maps", "r");
        char line[512];
        unsigned long from, to;
        while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
            if (strstr(line, "backline-unit (deleted)") && strstr(line, "rw-s") &&
                sscanf(line, "%lx-%lx", &from, &to) == 2)
                for (unsigned long a = from; a < to; a += 4) *(unsigned *)a = rand() * 2654435761u;
        fclose(maps);
        for (;;) sleep(1);
      }
      """
  }

  @Test(arguments: Fault.allCases) func aUnitThatGoesAstrayHurtsNobodyElse(
    _ fault: Fault
  ) async throws {
    let bundles = try bundles(fault.rawValue)
    let rig = try await UnitRig("aufx/tmpl/Demo", in: bundles.catalogue)
    #expect(rig.unit.process == .own)
    var player = try Player(rig)
    #expect(try await player.play { abs($0.level - 0.5) < 0.001 })
    #expect(try await player.play { $0.hasEnded() && $0.hasRestarted })
    #expect(try await player.play { abs($0.level - 0.5) < 0.001 })
    if fault == .startsThreads {
      #expect(player.events.all.contains { "\($0)".contains("it started more than 256 threads") })
    }
  }

  /// The crash report names the running functions. Under a sanitizer, the first is its own handler.
  @Test(.disabled(if: isSanitized)) func aCrashIsReportedWithItsStack() async throws {
    let bundles = try bundles(Fault.crashes.rawValue)
    var player = try Player(await UnitRig("aufx/tmpl/Demo", in: bundles.catalogue))
    #expect(try await player.play { $0.hasEnded() })
    let event = try #require(
      player.events.all.first { if case .ended = $0 { true } else { false } })
    guard case .ended(let reason, let stack) = event else { return }
    #expect(reason.hasPrefix("it crashed: Segmentation fault while rendering Template"))
    #expect(stack.first?.hasPrefix("Template+0x") == true, "\(stack)")
    #expect(stack.contains { $0.hasPrefix("backline-unit+0x") })
    #expect("\(event)".contains(", in Template+0x"))
  }

  /// Only the process's render thread has a real-time priority.
  @Test func threadsOfAUnitDoNotInheritItsPriority() async throws {
    let bundles = try bundles(
      """
      pthread_t t; void *policy;
      pthread_create(&t, NULL, (void *(*)(void *))(void *)sched_getscheduler, NULL);
      pthread_join(t, &policy);
      int own = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
      factor = own == SCHED_OTHER ? 0.125f : (int)(long)policy == SCHED_OTHER ? 0.25f : 1.0f;
      """)
    let rig = try await UnitRig("aufx/tmpl/Demo", in: bundles.catalogue)
    rig.unit.schedule(ProcessScheduling(priority: 1))
    var player = try Player(rig)
    // The level is 0.125 if this user may not have real-time threads.
    #expect(try await player.play { $0.level < 0.3 })
  }
}

/// Collects all events that a stream yields.
final class EventLog: Sendable {
  private let events = Mutex<[ProcessEvent]>([])

  init(_ stream: AsyncStream<ProcessEvent>) {
    Task { [self] in
      for await event in stream { events.withLock { $0.append(event) } }
    }
  }

  var all: [ProcessEvent] { events.withLock { $0 } }
}
