// swift-tools-version: 6.2
import PackageDescription

/// What the render thread may not do is an error, found by the compiler.
let renderSafe: [CSetting] = [
  .enableWarning("function-effects"),
  .treatWarning("function-effects", as: .error),
]

/// What the tests compute is computed fast, also while all else is built for debugging.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The programs and the libraries that people use.
let programs: [Target] = [
  // The render half: C.
  .target(name: "CUnit", cSettings: renderSafe, linkerSettings: [.linkedLibrary("resolv")]),
  .target(
    name: "CEvents", dependencies: ["CUnit"],
    cSettings: [.headerSearchPath(".")] + renderSafe),
  .target(
    name: "CKernel", dependencies: ["CEvents", "CUnit"],
    cSettings: [.headerSearchPath("."), .headerSearchPath("../CEvents")] + renderSafe),
  .target(
    name: "CUnits", dependencies: ["CUnit", "CSoundLibraries"],
    cSettings: [.headerSearchPath(".")] + renderSafe),
  .target(
    name: "CIO", dependencies: ["CUnit", "CKernel", "CJack", "CForeignUnits"],
    cSettings: renderSafe),
  .target(name: "CUnitService", dependencies: ["CUnit"], cSettings: renderSafe),
  .target(
    name: "CBridge", dependencies: ["CLilv", "CUnit"], cSettings: renderSafe,
    linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("m")]),
  .target(
    name: "CRack", dependencies: ["CEvents", "CKernel", "CUnit"],
    cSettings: [.headerSearchPath("../CEvents"), .headerSearchPath("../CKernel")] + renderSafe),
  .target(
    name: "CExport", dependencies: ["CEvents", "CKernel", "CRack", "CUnit", "CUnits"],
    cSettings: [.headerSearchPath("../CEvents"), .headerSearchPath("../CKernel")] + renderSafe,
    linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("m")]),
  .executableTarget(
    name: "backline-unit",
    dependencies: [
      "CBridge", "CConfinement", "CForeignUnits", "CUnit", "CUnits", "CUnitService",
    ],
    linkerSettings: [.linkedLibrary("dl"), .linkedLibrary("m")]),

  // What keeps foreign units from doing harm.
  .target(name: "CConfinement"),
  .target(
    name: "CForeignUnits", dependencies: ["CUnit"], cSettings: renderSafe,
    linkerSettings: [.linkedLibrary("dl")]),
  .target(
    name: "CUnitHost", dependencies: ["CUnit", "CConfinement"],
    cSettings: [.headerSearchPath("../CKernel")]),
  .target(
    name: "CCallWatch", dependencies: ["CUnit", "CUnitHost"],
    linkerSettings: [.linkedLibrary("dl")]),

  // The system's libraries.
  .target(name: "CLinux"),
  .target(name: "CJack", linkerSettings: [.linkedLibrary("dl")]),
  .target(name: "CSoundLibraries", linkerSettings: [.linkedLibrary("dl")]),
  .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
  .systemLibrary(name: "CLilv", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev"])]),
  .systemLibrary(name: "CLo", pkgConfig: "liblo", providers: [.apt(["liblo-dev"])]),
  .systemLibrary(
    name: "CQRCode", pkgConfig: "qrcodegen", providers: [.apt(["libqrcodegen-dev"])]),
  .target(name: "QRCode", dependencies: ["CQRCode"]),

  // What people write; units and racks, as values and alive: Swift.
  .target(name: "Documents", dependencies: ["CYAML"]),
  .target(name: "OSC", dependencies: ["CLo", "CLinux"]),
  .target(name: "UnitModel", dependencies: ["Documents"]),
  .target(name: "RackModel", dependencies: ["Documents", "UnitModel"]),
  .target(
    name: "AudioUnits",
    dependencies: [
      "AsyncSupport", "Documents", "UnitModel", "CBridge", "CConfinement", "CForeignUnits",
      "CLinux", "CUnit", "CUnits", "CKernel", "CUnitService",
    ]),
  .target(
    name: "UnitValidation",
    dependencies: [
      "AsyncSupport", "AudioUnits", "Documents", "UnitModel", "CConfinement", "CForeignUnits",
      "CUnit", "CUnits", "CUnitHost",
    ]),
  .executableTarget(
    name: "backline-validator",
    dependencies: [
      "AudioUnits", "Documents", "UnitModel", "UnitValidation", "CBridge", "CCallWatch",
      "CForeignUnits", "CUnit", "CUnits",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ]),
  .target(name: "AsyncSupport"),
  .target(name: "JackIO", dependencies: ["AsyncSupport", "CIO", "CJack", "CKernel", "CUnit"]),
  .target(name: "SoundFiles", dependencies: ["Documents", "CSoundLibraries"]),
  .target(name: "RackLowering", dependencies: ["RackModel", "UnitModel", "CKernel"]),
  .target(
    name: "RackEngine",
    dependencies: [
      "AsyncSupport", "AudioUnits", "Documents", "JackIO", "RackLowering", "RackModel",
      "SoundFiles", "UnitModel", "CIO", "CKernel", "CRack", "CUnit",
    ]),
  .target(
    name: "RackExport",
    dependencies: [
      "AudioUnits", "Documents", "RackLowering", "RackModel", "UnitModel", "CKernel",
    ]),
  .target(
    name: "RackSession",
    dependencies: [
      "AsyncSupport", "AudioUnits", "Documents", "RackEngine", "RackModel", "UnitModel", "CUnits",
    ]),
  .target(
    name: "RackControl",
    dependencies: [
      "AsyncSupport", "AudioUnits", "Documents", "OSC", "RackEngine", "RackModel", "RackSession",
      "UnitModel", "CLinux",
    ]),
  .target(
    name: "RackFiles",
    dependencies: [
      "AsyncSupport", "AudioUnits", "Documents", "RackEngine", "RackModel", "RackSession",
      "UnitModel",
    ]),
  .target(
    name: "RackStage",
    dependencies: [
      "AsyncSupport", "AudioUnits", "Documents", "JackIO", "OSC", "RackControl", "RackEngine",
      "RackFiles", "RackModel", "RackSession", "UnitModel", "CLinux",
      .product(name: "Logging", package: "swift-log"),
    ]),
  .executableTarget(
    name: "backline",
    dependencies: [
      "AsyncSupport", "AudioUnits", "Documents", "JackIO", "OSC", "QRCode", "RackControl",
      "RackEngine", "RackExport", "RackFiles", "RackModel", "RackSession", "RackStage",
      "SoundFiles",
      "UnitModel", "UnitValidation", "CForeignUnits",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "Logging", package: "swift-log"),
    ]),

  // The page: a server for browsers, in a process of its own.
  .executableTarget(
    name: "backline-page",
    dependencies: [
      "AsyncSupport", "CConfinement", "Documents", "QRCode",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOHTTP1", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"])),
      .product(name: "NIOWebSocket", package: "swift-nio"),
    ]),
]

/// Tests, benchmarks and measurements; `make run` builds without them.
let trials: [Target] = [
  .executableTarget(name: "confined-unit", dependencies: ["CConfinement", "CUnit"]),
  .target(name: "CTestUnits", dependencies: ["CUnit"], cSettings: renderSafe),
  .target(name: "CTestSupport", dependencies: ["CJack", "CUnitService"]),
  .target(
    name: "BacklineTestSupport",
    dependencies: [
      "CUnit", "CUnits", "CKernel", "CIO", "CExport", "CJack", "CTestUnits", "CTestSupport",
      "UnitMeasurement", "UnitValidation", "AudioUnits", "Documents", "RackEngine", "RackModel",
      "UnitModel", "CLinux",
    ], swiftSettings: optimized),

  .target(
    name: "CBenchmarks", dependencies: ["CUnit", "CKernel", "CJack", "CUnitService"],
    path: "Benchmarks/CBenchmarks"),
  .executableTarget(name: "bare-client", dependencies: ["CJack"], path: "Benchmarks/bare-client"),
  .executableTarget(
    name: "bare-loader", dependencies: ["CUnit"], path: "Benchmarks/bare-loader",
    linkerSettings: [.linkedLibrary("dl")]),
  .executableTarget(
    name: "try-plug-ins", dependencies: ["CBridge", "CConfinement", "CLilv", "CUnit"],
    path: "Benchmarks/try-plug-ins"),
  .executableTarget(
    name: "backline-benchmarks",
    dependencies: [
      "CBenchmarks", "CJack", "CKernel", "CUnit", "AudioUnits", "Documents", "JackIO",
      "RackControl", "RackEngine", "RackFiles", "RackModel", "RackSession", "SoundFiles",
      "UnitModel",
      "BacklineTestSupport",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Benchmarks/backline-benchmarks"),

  // What the units do to sound, as figures and pictures.
  .target(
    name: "UnitMeasurement",
    dependencies: [
      "AsyncSupport", "AudioUnits", "RackEngine", "RackModel", "UnitModel", "UnitValidation",
      "CSoundLibraries",
      "CUnit", "CUnits",
    ], swiftSettings: optimized),
  .executableTarget(
    name: "backline-measurements",
    dependencies: [
      "AudioUnits", "RackFiles", "RackModel", "UnitMeasurement",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Benchmarks/backline-measurements"),

  .testTarget(
    name: "CUnitTests", dependencies: ["CUnit", "BacklineTestSupport", "UnitValidation"]),
  .testTarget(
    name: "CConfinementTests",
    dependencies: ["confined-unit", "CConfinement", "BacklineTestSupport"]),
  .testTarget(
    name: "CEventsTests",
    dependencies: ["CKernel", "CUnit", "CTestUnits", "BacklineTestSupport"]),
  .testTarget(
    name: "CKernelTests",
    dependencies: ["CKernel", "CUnit", "CTestUnits", "BacklineTestSupport", "UnitMeasurement"]),
  .testTarget(
    name: "CUnitsTests",
    dependencies: [
      "CUnits", "CUnit", "CSoundLibraries", "CTestSupport", "BacklineTestSupport",
      "UnitMeasurement", "UnitValidation",
    ]),
  .testTarget(
    name: "CExportTests",
    dependencies: ["AudioUnits", "CExport", "BacklineTestSupport", "RackExport", "UnitModel"]),
  .testTarget(
    name: "CUnitServiceTests", dependencies: ["CUnitService", "CUnit"]),
  .testTarget(name: "CIOTests", dependencies: ["CIO", "CKernel", "CUnit"]),
  .testTarget(name: "CBridgeTests", dependencies: ["CBridge", "CUnit", "BacklineTestSupport"]),
  .testTarget(
    name: "UnitMeasurementTests",
    dependencies: [
      "AudioUnits", "BacklineTestSupport", "RackFiles", "RackModel", "UnitMeasurement",
      "UnitModel",
    ]),
  .testTarget(
    name: "UnitValidationTests",
    dependencies: ["UnitValidation", "BacklineTestSupport"]),
  .testTarget(name: "DocumentsTests", dependencies: ["Documents"]),
  .testTarget(name: "OSCTests", dependencies: ["OSC"]),
  .testTarget(
    name: "AudioUnitsTests",
    dependencies: [
      "AudioUnits", "Documents", "UnitModel", "CKernel", "CUnit", "CUnitService", "CUnits",
      "CTestSupport", "BacklineTestSupport",
    ]),
  .testTarget(name: "UnitModelTests", dependencies: ["UnitModel"]),
  .testTarget(name: "RackModelTests", dependencies: ["Documents", "RackModel", "UnitModel"]),
  .target(
    name: "RackTestSupport",
    dependencies: [
      "AudioUnits", "BacklineTestSupport", "Documents", "JackIO", "OSC", "RackControl",
      "RackEngine", "RackFiles", "RackModel", "RackSession", "UnitModel", "CKernel",
    ],
    path: "Tests/RackTestSupport"),
  .testTarget(
    name: "SoundFilesTests", dependencies: ["SoundFiles", "CUnits", "BacklineTestSupport"]),
  .testTarget(
    name: "JackIOTests",
    dependencies: ["JackIO", "CJack", "CKernel", "CTestUnits", "CUnit", "RackTestSupport"]),
  .testTarget(
    name: "RackEngineTests",
    dependencies: [
      "RackEngine", "RackStage", "SoundFiles", "CIO", "CJack", "RackTestSupport",
      "UnitMeasurement",
    ]),
  .testTarget(name: "RackFilesTests", dependencies: ["RackFiles", "RackTestSupport"]),
  .testTarget(name: "RackSessionTests", dependencies: ["RackSession", "RackTestSupport"]),
  .testTarget(name: "RackControlTests", dependencies: ["RackControl", "OSC", "RackTestSupport"]),
  .testTarget(
    name: "backlineTests",
    dependencies: [
      "backline", "backline-page", "CExport", "CLilv", "CLinux", "JackIO", "OSC", "RackControl",
      "RackEngine",
      "RackSession", "SoundFiles", "BacklineTestSupport",
    ]),
]

let package = Package(
  name: "backline",
  products: [
    .executable(name: "backline", targets: ["backline"]),
    .executable(name: "backline-validator", targets: ["backline-validator"]),
    .executable(name: "backline-unit", targets: ["backline-unit"]),
    .executable(name: "backline-page", targets: ["backline-page"]),
    .library(name: "backline-lv2", type: .static, targets: ["CExport"]),
    .library(
      name: "RackEngine",
      targets: [
        "RackEngine", "JackIO", "RackModel", "RackSession", "RackControl", "RackFiles", "RackStage",
      ]),
    .library(
      name: "AudioUnits", targets: ["AudioUnits", "UnitModel", "Documents", "CUnit", "CKernel"]),
    .library(name: "UnitValidation", targets: ["UnitValidation"]),
  ],
  traits: [
    .trait(
      name: "TLS",
      description: "The page can be encrypted: a fifth of the build is the library that does so.")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  ],
  targets: Context.environment["BACKLINE_PROGRAMS_ONLY"] == nil ? programs + trials : programs,
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c17
)
