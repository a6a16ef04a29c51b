import UnitModel

/// The units of the test catalogue, and a bundle whose manifest lacks `in_process: true`.
struct TestDirectory: UnitDirectory {
  static let foreign = UnitFacts(
    component: ComponentDescription("aufx/frgn/test")!, name: "Foreign",
    inputBusses: [BusInfo(name: "input", defaultChannelCount: 2)],
    outputBusses: [BusInfo(name: "output", defaultChannelCount: 2)])

  private let units = TestCatalogue.units + [foreign]

  func facts(for reference: UnitReference) throws(UnitRefusal) -> [UnitFacts] {
    try units.facts(for: reference)
  }

  func defaultProcess(of reference: UnitReference) -> ProcessChoice {
    manifestWithoutConsent(of: reference) == nil ? .host : .own
  }

  func manifestWithoutConsent(of reference: UnitReference) -> String? {
    reference.names(Self.foreign.component, called: Self.foreign.name)
      ? "/units/Foreign.unit/unit.yaml" : nil
  }

  var knownFacts: [UnitFacts] { units }
}
