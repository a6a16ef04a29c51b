import CUnitService
import Documents
import UnitModel

/// A unit's place in a process that is not ours.
final class UnitService: Sendable {
  private let group: UnitProcessGroup
  private let member: ProcessMember

  private init(group: UnitProcessGroup, member: ProcessMember) {
    self.group = group
    self.member = member
  }

  /// Has the unit, whose instance is a link, rendered in that process; waits until it is there. Nil
  /// for this process.
  static func join(
    _ choice: ProcessChoice, _ component: Component, _ link: OpaquePointer
  ) throws(AudioUnitError) -> UnitService? {
    guard choice != .host else { return nil }
    let name = component.name
    let program: String
    do {
      program = try HelperPrograms.path("backline-unit")
    } catch {
      throw AudioUnitError(unit: name, reason: error.description)
    }
    let library: LibraryCopy?
    do {
      library = try component.bundle.map { bundle throws(BundleFault) in
        try LibraryCopy(bundle.libraryPath)
      }
    } catch {
      throw AudioUnitError(unit: name, reason: error.description)
    }
    let group =
      if case .group(let name) = choice {
        UnitProcessGroup.named(name, program: program)
      } else {
        UnitProcessGroup(name: name, program: program)
      }
    let member = ProcessMember(
      link: link, name: name, library: library,
      readable: Set(component.bundle.map { [$0.path] } ?? []),
      writable: Set(dataFolder(of: component)))
    try group.join(member)
    return UnitService(group: group, member: member)
  }

  /// The folder that a bundle's unit may write to, if the user has made it.
  private static func dataFolder(of component: Component) -> [String] {
    guard component.bundle != nil else { return [] }
    let codes = "\(component.component)".replacing("/", with: "-")
    let folder = "\(UserFolders.data)/unit-data/\(codes)"
    return Folder.isThere(folder) ? [folder] : []
  }

  /// Removes the unit from its process and then runs `finish`; does not wait for that.
  func leave(then finish: @escaping @Sendable () -> Void) { group.leave(member, then: finish) }

  /// The file that a property names.
  func allow(reading path: String) {
    if path.hasPrefix("/") { group.allow(reading: path) }
  }

  var events: AsyncStream<ProcessEvent> { member.events }
  var trouble: String? { group.trouble }
  var processNumber: Int? { group.processNumber }
  func restart() { group.restart() }
  func schedule(_ scheduling: ProcessScheduling) { group.schedule(scheduling) }
  func connectOutput(to next: UnitService) { group.connect(member, to: next.member) }

  var policy: ProcessPolicy {
    get { group.policy }
    set { group.policy = newValue }
  }

  /// Nanoseconds that the render thread may wait for the unit in one cycle, and from one to the next.
  func setPatience(_ nanoseconds: Int, period: Int) {
    bl_service_link_set_patience(
      member.link, UInt32(clamping: nanoseconds), UInt32(clamping: period))
  }

  /// Before render resources are allocated.
  func setPipelined(_ isPipelined: Bool) { bl_service_link_set_pipelined(member.link, isPipelined) }

  func setSpin(_ nanoseconds: Int) {
    bl_service_link_set_spin(member.link, UInt32(clamping: nanoseconds))
  }

  var statistics: bl_service_statistics {
    var statistics = bl_service_statistics()
    bl_service_link_statistics(member.link, &statistics)
    return statistics
  }
}
