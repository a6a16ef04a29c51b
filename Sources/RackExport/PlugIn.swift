import RackModel
import UnitModel

/// A rack or a unit as a plug-in of an LV2 bundle.
struct PlugIn {
  var uri: String
  var name: String
  /// The effect on the sound, in one line.
  var summary = ""
  /// The license, a URI; nil if it is not known.
  var license: String?
  var maintainer: String
  /// The version as 0x00MMmmpp.
  var version: UInt32 = 0x0001_0000
  /// The local names of LV2's classes, besides Plugin.
  var classes: [String] = []
  /// The plan of the rack; for a single unit, a plan of that unit.
  var plan: Plan
  /// The facts of each unit of the plan.
  var facts: [UnitFacts]
  /// The ports in the order of their LV2 indices.
  var ports: [Port] = []
  /// The groups of parameters, in the order of their first ports.
  var groups: [Group] = []
  var state: [StateEntry] = []

  /// A group of parameters.
  struct Group {
    var symbol: String
    var name: String
  }

  /// A property that belongs to the state.
  struct StateEntry {
    /// The index of the unit in the plan.
    var unit: Int
    /// The index of the property in the unit's table.
    var index: Int
    /// The URI of the property.
    var key: String
    var info: PropertyInfo
  }

  struct Port {
    /// The LV2 symbol, a C identifier that hosts store.
    var symbol: String
    var name: String
    var use: Use
    /// The symbol of the port's group; for an audio port, that of the plan's port.
    var group: String?

    enum Use {
      /// The indices of a port of the plan and of its channel.
      case audioInput(Int, channel: Int)
      case audioOutput(Int, channel: Int)
      /// An input of events; the first has the host's time, and MIDI only if the plan has a MIDI input.
      case eventInput(hasMIDI: Bool, hasTime: Bool)
      case eventOutput
      case parameter(unit: Int, ParameterReference, initial: Float)
      case bypass(unit: Int, initial: Bool)
      case enabled
      /// Whether the host renders as fast as it can, and may wait for files.
      case freewheeling
      case latency
    }
  }
}
