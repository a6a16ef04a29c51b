import Testing
import UnitModel

@Suite struct ComponentDescriptionTests {
  @Test func codesAreFourLettersOrDigits() {
    #expect(FourCharacterCode("aufx").rawValue == 0x6175_6678)
    #expect(FourCharacterCode(rawValue: 0x6175_6678)?.description == "aufx")
    #expect(FourCharacterCode("*").rawValue == 0)
    #expect(FourCharacterCode(rawValue: 0) == .any)
    for wrong in ["", "auf", "aufxx", "au x", "aufé", "au/x", "****"] {
      #expect(FourCharacterCode(wrong) == nil, "\(wrong)")
    }
    #expect(FourCharacterCode(rawValue: 0x6175_6600) == nil)
  }

  @Test func readsAndWritesTheThreeCodes() throws {
    let ring = try #require(ComponentDescription("aufx/ring/bkln"))
    #expect(ring.subtype == FourCharacterCode("ring"))
    #expect(ring.description == "aufx/ring/bkln")
    #expect(!ring.hasWildcard)
    for wrong in ["", "aufx", "aufx/ring", "aufx/ring/bkln/", "aufx//bkln", "aufx/ring/bkl"] {
      #expect(ComponentDescription(wrong) == nil, "\(wrong)")
    }
  }

  @Test func wildcardsFitAnyCode() throws {
    let ring = try #require(ComponentDescription("aufx/ring/bkln"))
    for pattern in ["*/*/*", "aufx/*/*", "*/ring/*", "*/*/bkln", "aufx/ring/bkln"] {
      #expect(try #require(ComponentDescription(pattern)).matches(ring), "\(pattern)")
    }
    for pattern in ["aumu/*/*", "*/rong/*", "*/*/acme"] {
      #expect(try !#require(ComponentDescription(pattern)).matches(ring), "\(pattern)")
    }
  }

  @Test func theOtherSpellingOfMusicEffectIsAnAlias() {
    #expect(ComponentDescription("aufm/wahw/bkln") == ComponentDescription("aumf/wahw/bkln"))
  }
}
