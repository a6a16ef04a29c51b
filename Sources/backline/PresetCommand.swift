import ArgumentParser

struct PresetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preset",
    abstract: "List, show, save, rename, delete, export and import presets.",
    discussion: """
      A preset is a set of values for one unit, under a name. Some ship with the unit; your own lie \
      in your data folder ($XDG_DATA_HOME/backline/presets) and can be used wherever a preset can:
        backline preset save Delay "Long hall" --set time=900ms --set feedback='70 %'
        backline play Delay --preset "Long hall"
      """,
    subcommands: [
      PresetList.self, PresetShow.self, PresetSave.self, PresetDelete.self, PresetRename.self,
      PresetExport.self, PresetImport.self,
    ])
}
