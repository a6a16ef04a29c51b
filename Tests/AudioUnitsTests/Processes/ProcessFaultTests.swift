import AudioUnits
import BacklineTestSupport
import CUnit
import Glibc
import Synchronization
import Testing
import UnitModel

/// A process dies or goes astray, and the music plays on.
@Suite struct ProcessFaultTests {
  /// A rack's render thread in small: a cycle of 64 frames of ones about every millisecond.
  private struct Player {
    var rig: UnitRig
    let events: EventLog
    private(set) var last: [[Float]] = []

    init(_ rig: UnitRig) throws {
      self.rig = rig
      events = EventLog(try #require(rig.unit.processEvents))
      rig.unit.setRenderTimeout(200_000_000)
      // A busy machine must not be taken for a fault of the unit.
      rig.unit.processPolicy.restarts = 1000
    }

    /// Plays until something holds; false when it does not for so many seconds. Nothing that comes
    /// out is ever beyond what goes in.
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

    /// Has its process ended so often?
    func hasEnded(_ times: Int = 1) -> Bool {
      events.all.count { if case .ended = $0 { true } else { false } } >= times
    }

    /// Plays another process now?
    var hasRestarted: Bool {
      events.all.contains { if case .restarted = $0 { true } else { false } }
    }

    /// The level at the end of the last cycle.
    var level: Float { last.first?.last ?? 0 }
  }

  /// - Parameter timeout: seconds until it counts as hung.
  private func player(timeout: Double = 60) async throws -> Player {
    var player = try Player(await UnitRig("aufx/gain/bkln", options: .loadOutOfProcess))
    player.rig.unit.processPolicy.timeout = timeout
    let gain = try player.rig.address("gain")
    try player.rig.unit.setParameter(gain, to: -6)
    #expect(try await player.play { abs($0.level - 0.501) < 0.001 })
    return player
  }

  /// Without permission for the wait monitor, each wait has a timer.
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
    // One that is stopped is waited for in vain; others may be replaced between two cycles.
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
    // The input is heard, and nothing else any more.
    #expect(try await player.play { $0.level > 0.99 })
    #expect(try await !player.play(seconds: 0.5) { $0.level < 0.9 })
    player.rig.unit.restartProcess()
    #expect(try await player.play { abs($0.level - 0.501) < 0.001 })
  }

  /// A bundle whose unit halves its input and runs `fault` in cycle 30.
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

  /// Over ten seconds, in which it makes half of its input all the same.
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

  /// The fault of a unit when its first parameter is above 0.5.
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

  /// The report of a crash names the functions that were running. Under a sanitizer, its own handler
  /// would be the first of them.
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

  /// A real-time priority is the render thread's alone.
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
    // 0.125: nobody may have real-time threads here.
    #expect(try await player.play { $0.level < 0.3 })
  }
}

/// Everything that a stream has yielded so far.
final class EventLog: Sendable {
  private let events = Mutex<[ProcessEvent]>([])

  init(_ stream: AsyncStream<ProcessEvent>) {
    Task { [self] in
      for await event in stream { events.withLock { $0.append(event) } }
    }
  }

  var all: [ProcessEvent] { events.withLock { $0 } }
}
