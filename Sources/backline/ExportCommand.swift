import ArgumentParser
import AudioUnits
import Documents
import RackExport
import RackFiles
import RackModel

struct ExportLV2: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export-lv2",
    abstract: "Make an LV2 bundle of units and racks, for other hosts.",
    discussion: """
      Each unit becomes a plug-in for each of its channel layouts; a rack becomes one plug-in, which plays \
      the whole rack. Of a rack, the plug-in has the parameters that its controls and scenes move, and \
      those that --expose names; its scenes are presets. The bundle needs nothing of Backline to play. \
      What cannot be exported is listed, and the rest is exported. Hosts look for bundles in ~/.lv2.
        backline export-lv2 Delay Reverb --out ~/.lv2/backline.lv2
        backline export-lv2 dalek-voice --expose ring.frequency --out ~/.lv2/dalek.lv2
      """)

  @Argument(
    help: """
      Units (aufx/dely/bkln, a name, or a bundle: ./Ring.unit) and racks (a file, or the name of a rack \
      that comes with Backline).
      """, completion: .units)
  var words: [String]

  @Option(help: "The bundle's folder: a new one, or one that was exported before.")
  var out: String

  @Option(
    parsing: .singleValue,
    help: "A parameter of a rack that the plug-in has: UNIT.PARAMETER or UNIT.bypass; repeatable.")
  var expose: [String] = []

  @Option(help: "How the plug-ins' URIs begin.")
  var uri = LV2Bundle.defaultBase

  @Option(help: "The license of units that do not come with Backline, a URI.")
  var license: String?

  @OptionGroup var units: CatalogueOptions

  func validate() throws {
    for (name, value) in [("uri", uri), ("license", license ?? uri)] where !LV2Bundle.isURI(value) {
      throw ValidationError(
        "--\(name) “\(value)” is no URI; one looks like \(LV2Bundle.defaultBase)mine:"
          + " or http://example.org/")
    }
  }

  func run() throws {
    let catalogue = try units.catalogue()
    var bundle = LV2Bundle(catalogue: catalogue, base: uri, license: license)
    let racks = words.filter {
      $0.hasSuffix(".yaml") || WholeFile.isThere(RackLoader.locate($0))
        || SetListLoader.shippedNames.contains($0)
    }
    guard expose.isEmpty || racks.count == 1 else {
      throw Failure("--expose is for one rack", code: .usage)
    }
    var refusals: [Failure] = []
    for word in words {
      // A unit or rack that is refused leaves nothing in the bundle.
      var larger = bundle
      do {
        if racks.contains(word) {
          let plan = try RackLoader.rack(word, catalogue: catalogue, playsLive: true).plan
          for warning in try larger.add(plan, exposing: expose) {
            Terminal.complain("warning: \(warning)")
          }
        } else {
          try larger.add(component(word, catalogue))
        }
        bundle = larger
      } catch let failure as LV2Bundle.Failure {
        refusals.append(Failure("\(word): \(failure)"))
      } catch let failure as Failure {
        refusals.append(failure)
      }
    }
    if !bundle.uris.isEmpty {
      do { try bundle.write(to: out, library: library()) } catch let failure as LV2Bundle.Failure {
        throw Failure(failure.description)
      }
    }
    for uri in bundle.uris { print(uri) }
    if let first = refusals.first {
      throw Failure(refusals.map(\.description).joined(separator: "\n"), code: first.code)
    }
  }

  private func component(_ word: String, _ catalogue: ComponentCatalogue) throws -> Component {
    guard let component = try UnitLookup.components(named: word, in: catalogue).first else {
      let reason = WrongWord.asUnit(word, catalogue: catalogue, racks: RackLoader.shippedNames)
      throw Failure(reason, code: .wrongRack)
    }
    // Refuses a word that matches several units.
    _ = try UnitLookup.unit(named: word, in: catalogue)
    return component
  }

  private func library() throws -> String {
    do {
      return try HelperPrograms.path("libbackline-lv2.so")
    } catch {
      throw Failure(
        "libbackline-lv2.so was not found in BACKLINE_PROGRAMS, beside this program or in PATH;"
          + " “make build” makes it")
    }
  }
}
