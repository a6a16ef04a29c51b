import AudioUnits
import Documents
import RackEngine
import RackModel
import RackSession

extension Performance {
  /// What a performance begins with.
  package struct Opening {
    package let rack: CheckedRack
    /// As the engine is to play it.
    package let plan: Plan
    package var clientName: String?
    package var setListPlayer: SetListPlayer?
    package var song: String?

    /// - Throws: `Refusal` where a set list has no rack that can be played.
    package init(_ performance: Performance, catalogue: ComponentCatalogue) throws {
      switch performance {
      case .rack(let rack, _): (self.rack, plan) = (rack, rack.plan)
      case .setList(let list):
        guard let setListPlayer = SetListPlayer(list),
          let beginning = setListPlayer.beginning(catalogue: catalogue)
        else {
          throw Refusal("the set list has no rack that can be played")
        }
        (song, rack, plan) = beginning
        clientName = list.list.name.value
        self.setListPlayer = setListPlayer
      }
    }
  }

  /// What the files said when they were read last.
  package struct Reading: Sendable {
    package var performance: Performance
    package var diagnostics: [Diagnostic]
    /// Whether a file was wrong, so that the performance is an older one.
    package var isWrong = false

    package init(performance: Performance, diagnostics: [Diagnostic]) {
      (self.performance, self.diagnostics) = (performance, diagnostics)
    }

    /// Of one rack all is told each time; of many, what is new.
    package func hasTold(_ diagnostic: Diagnostic) -> Bool {
      if case .setList = performance { return diagnostics.contains(diagnostic) }
      return false
    }

    package var kind: String {
      if case .setList = performance { return "set list" }
      return "rack file"
    }
  }
}
