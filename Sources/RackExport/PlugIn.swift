import RackModel
import UnitModel

/// A rack or a unit as a plug-in of an LV2 bundle.
struct PlugIn {
  var uri: String
  var name: String
  /// One line: the effect on the sound.
  var summary = ""
  /// A URI; nil where it is not known.
  var license: String?
  var maintainer: String
  /// As 0x00MMmmpp.
  var version: UInt32 = 0x0001_0000
  /// Local names of LV2's classes, besides Plugin.
  var classes: [String] = []
  /// One unit alone is a plan of one unit.
  var plan: Plan
  /// Of each unit of the plan.
  var facts: [UnitFacts]
  /// In the order of their LV2 indices.
  var ports: [Port] = []
  /// Of parameters, in the order of their first ports.
  var groups: [Group] = []
  var state: [StateEntry] = []

  /// The parameters' group of that name.
  struct Group {
    var symbol: String
    var name: String
  }

  /// A property that belongs to the state.
  struct StateEntry {
    var unit: Int
    var index: Int
    /// A URI.
    var key: String
    var info: PropertyInfo
  }

  struct Port {
    /// A C identifier, which hosts store.
    var symbol: String
    var name: String
    var use: Use
    /// The symbol of its group; of an audio port, the port of the plan.
    var group: String?

    enum Use {
      /// A channel of a port of the plan, both from 0.
      case audioInput(Int, channel: Int)
      case audioOutput(Int, channel: Int)
      /// The first has the host's time, and no MIDI where the plan takes none.
      case eventInput(hasMIDI: Bool, hasTime: Bool)
      case eventOutput
      case parameter(unit: Int, ParameterReference, initial: Float)
      case bypass(unit: Int, initial: Bool)
      case enabled
      /// Whether the host renders as fast as it can, and may wait.
      case freewheeling
      case latency
    }
  }
}
