import Synchronization

/// A unit's identity, independent of its name. It is created when the unit is read or added, and kept when
/// the unit is renamed, replaced, or restored by an undo. Any thread may create one.
public struct UnitID: Sendable, Hashable {
  private let number: Int
  private static let last = Atomic(0)

  public init() { number = Self.last.add(1, ordering: .relaxed).newValue }
}

/// A property that equality ignores.
@propertyWrapper public struct Uncompared<Value: Sendable>: Sendable, Equatable {
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  public static func == (a: Self, b: Self) -> Bool { true }
}

extension Plan {
  /// Gives the units the identities of those of the rack that plays. A unit with a new identity is matched
  /// by name and component, if no other unit has that identity; without a match it keeps its own.
  package mutating func identify(like former: Plan) {
    var free = former.units
    let known = Set(units.map(\.id))
    free.removeAll { known.contains($0.id) }
    let former = Set(former.units.map(\.id))
    for index in units.indices where !former.contains(units[index].id) {
      guard let match = free.firstIndex(where: { $0.hasSameName(as: units[index]) }) else {
        continue
      }
      units[index].id = free.remove(at: match).id
    }
  }
}

extension PlannedUnit {
  fileprivate func hasSameName(as other: PlannedUnit) -> Bool {
    (name, component) == (other.name, other.component)
  }

  /// Whether both have the same identity and component.
  package func isSameUnit(as other: PlannedUnit) -> Bool {
    (id, component) == (other.id, other.component)
  }
}

extension CheckedRack {
  /// Returns the rack with the identities of the units that play, by the rule of `Plan.identify`.
  package func identified(like former: CheckedRack) -> CheckedRack {
    var rack = self
    rack.plan.identify(like: former.plan)
    let ids = Dictionary(rack.plan.units.map { ($0.name, $0.id) }) { first, _ in first }
    for index in rack.file.units.indices {
      if let id = ids[rack.file.units[index].name.value] { rack.file.units[index].id = id }
    }
    return rack
  }

  /// Returns the rack with new unit identities, so that edits made under the old ones do not apply.
  package func asNew() -> CheckedRack {
    var rack = self
    for index in rack.file.units.indices {
      let (id, name) = (UnitID(), rack.file.units[index].name.value)
      rack.file.units[index].id = id
      for unit in rack.plan.units.indices where rack.plan.units[unit].name == name {
        rack.plan.units[unit].id = id
      }
    }
    return rack
  }

  /// Returns the name of a unit; nil if the rack does not have the unit.
  package func name(of id: UnitID) -> String? {
    file.units.first { $0.id == id }?.name.value
  }

  /// Returns the identity of a unit by its name; nil if there is none.
  package func id(ofUnit name: String) -> UnitID? {
    file.units.first { $0.name.value == name }?.id
  }
}
