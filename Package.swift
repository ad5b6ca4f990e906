// swift-tools-version: 6.2

import PackageDescription

let swift: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Start-up is mostly dynamic linking, and a child is started for every picture.
let staticRuntime: [LinkerSetting] = [.unsafeFlags(["-static-stdlib"])]

/// One Debian library, worn by one system-library target.
func cLibrary(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/CLibraries/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swift)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, swiftSettings: swift, linkerSettings: staticRuntime)
}

func tests(
  _ folder: String, _ dependencies: [Target.Dependency], data: [String] = []
) -> Target {
  .testTarget(
    name: "\(folder)Tests", dependencies: dependencies + ["TestSupport"], path: "Tests/\(folder)",
    exclude: data, swiftSettings: swift)
}

let package = Package(
  name: "wirephoto",
  targets: [
    cLibrary("CPNG", pkgConfig: "libpng", apt: "libpng-dev"),
    cLibrary("CJPEG", pkgConfig: "libjpeg", apt: "libjpeg62-turbo-dev"),
    cLibrary("CGIF", apt: "libgif-dev"),
    cLibrary("CWebP", apt: "libwebp-dev"),
    cLibrary("CLCMS", apt: "liblcms2-dev"),
    cLibrary("CImageQuant", apt: "libimagequant-dev"),
    cLibrary("CDE265", apt: "libde265-dev"),
    cLibrary("CDAV1D", apt: "libdav1d-dev"),
    cLibrary("CXML", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    cLibrary("CZLib", apt: "zlib1g-dev"),
    cLibrary("CAV", apt: "libavformat-dev"),
    cLibrary("CCurl", apt: "libcurl4-openssl-dev"),
    cLibrary("CSQLite", apt: "libsqlite3-dev"),
    cLibrary("CCrypto", apt: "libssl-dev"),
    cLibrary("CSSL", apt: "libssl-dev"),
    cLibrary("CSeccomp", apt: "libseccomp-dev"),
    .target(name: "CCodecShims", dependencies: ["CPNG", "CJPEG"]),
    .target(name: "CSystemShims"),

    module("Media", []),
    module("Files", ["CSystemShims"]),
    module("Imaging", ["Media", "CCodecShims", "CGIF", "CWebP", "CLCMS", "CImageQuant"]),
    module("HEIFImaging", ["Media", "Imaging", "CDE265", "CDAV1D"]),
    module("WebPage", ["Media", "CXML", "CZLib"]),
    module("AudioVideo", ["Media", "Imaging", "CAV"]),
    module("Sandbox", ["Media", "Files", "CSystemShims", "CSeccomp"]),
    module("Download", ["Media", "Files", "CCurl", "CZLib"]),
    module("SharedCache", ["Media", "Files", "CSQLite", "CCrypto"]),
    module("Pipeline", ["Media", "Files", "Sandbox", "Download", "SharedCache"]),

    program("wirephoto", ["Media", "Files", "Pipeline"]),
    program("wirephoto-image-decoder", ["Media", "Sandbox", "Imaging"]),
    program("wirephoto-heif-decoder", ["Sandbox", "Imaging", "HEIFImaging"]),
    program("wirephoto-page-reader", ["Media", "Files", "Sandbox", "WebPage"]),
    program("wirephoto-av-decoder", ["Sandbox", "AudioVideo"]),

    .target(name: "CHostileActs", path: "Tests/Support/CHostileActs"),
    .executableTarget(
      name: "wirephoto-hostile-child", dependencies: ["Media", "Sandbox", "CHostileActs"],
      path: "Tests/Support/HostileChild", swiftSettings: swift, linkerSettings: staticRuntime),
    .target(
      name: "TestSupport", dependencies: ["Media", "Files"], path: "Tests/Support/TestSupport",
      swiftSettings: swift),
    .testTarget(
      name: "TestSupportTests", dependencies: ["Media", "Files", "TestSupport"],
      path: "Tests/Support/TestSupportTests", swiftSettings: swift),
    .target(
      name: "Origin", dependencies: ["Files", "CSSL"], path: "Tests/Support/Origin",
      swiftSettings: swift),
    .executableTarget(
      name: "wirephoto-origin", dependencies: ["Origin"], path: "Tests/Support/wirephoto-origin",
      swiftSettings: swift),
    .executableTarget(
      name: "download-trial", dependencies: ["Media", "Files", "Download", "Origin"],
      path: "Tests/Support/download-trial", swiftSettings: swift),
    .executableTarget(
      name: "job-exerciser", dependencies: ["Media", "Files", "Pipeline"],
      path: "Tests/Support/job-exerciser", swiftSettings: swift, linkerSettings: staticRuntime),
    .executableTarget(
      name: "cache-exerciser", dependencies: ["Media", "Files", "SharedCache"],
      path: "Tests/Support/cache-exerciser", swiftSettings: swift),
    tests("Media", ["Media"]),
    tests("Files", ["Files"]),
    tests("Imaging", ["Media", "Files", "Imaging", "CCodecShims"]),
    tests("HEIFImaging", ["Media", "Files", "Sandbox", "Imaging", "HEIFImaging"]),
    tests("WebPage", ["Media", "Files", "Sandbox", "WebPage"], data: ["Pages"]),
    tests(
      "AudioVideo", ["Media", "Files", "Sandbox", "AudioVideo"], data: ["exceptions.tsv"]),
    tests("Sandbox", ["Media", "Files", "Sandbox"]),
    tests("Download", ["Media", "Files", "Download", "Origin"]),
    tests("SharedCache", ["Media", "Files", "SharedCache"]),
    tests("Pipeline", ["Media", "Files", "Pipeline"]),
    tests(
      "EndToEnd", ["Media", "Files", "Sandbox", "Origin"],
      data: ["Fidelity/reference", "Fidelity/exceptions.tsv"]),
    tests("Layering", []),
  ],
  swiftLanguageModes: [.v6]
)
