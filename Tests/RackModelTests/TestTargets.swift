import RackModel

/// The commands that the controls of the tests' racks call.
enum TestTargets {
  static let all: [CalledCommand.Form] = [
    .init("next song", calls: "next"), .init("previous song", calls: "previous"),
    .init("song", calls: "song", rest: .name(argument: "name")),
    .init("next file", calls: "next-file", rest: .file(argument: "file")),
    .init("previous file", calls: "previous-file", rest: .file(argument: "file")),
    .init("record", calls: "record", ["action": "toggle"]),
  ]
}
