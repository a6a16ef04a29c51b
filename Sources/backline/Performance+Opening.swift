import AudioUnits
import Documents
import RackEngine
import RackModel
import RackSession

extension Performance {
  /// What a performance begins with.
  struct Opening {
    let rack: CheckedRack
    /// As the engine is to play it.
    let plan: Plan
    var clientName: String?
    var setListPlayer: SetListPlayer?
    var song: String?

    /// - Throws: an exit code where a set list has no rack that can be played.
    init(_ performance: Performance, catalogue: ComponentCatalogue) throws {
      switch performance {
      case .rack(let rack, _): (self.rack, plan) = (rack, rack.plan)
      case .setList(let list):
        guard let setListPlayer = SetListPlayer(list), let beginning = setListPlayer.beginning(catalogue: catalogue)
        else {
          throw Terminal.refusal("the set list has no rack that can be played")
        }
        (song, rack, plan) = beginning
        clientName = list.list.name.value
        self.setListPlayer = setListPlayer
      }
    }
  }

  /// What the files said when they were read last.
  struct Reading: Sendable {
    var performance: Performance
    var diagnostics: [Diagnostic]
    /// Whether a file was wrong, so that the performance is an older one.
    var isWrong = false

    /// Of one rack all is told each time; of many, what is new.
    func hasTold(_ diagnostic: Diagnostic) -> Bool {
      if case .setList = performance { return diagnostics.contains(diagnostic) }
      return false
    }

    var kind: String {
      if case .setList = performance { return "set list" }
      return "rack file"
    }
  }
}
