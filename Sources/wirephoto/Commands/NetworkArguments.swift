import Pipeline

/// How the network is reached, as the options of those commands that download have it.
enum NetworkArguments {
  static let options = [
    AnyOption(Options.allowAddress), AnyOption(Options.proxy), AnyOption(Options.caFile),
    AnyOption(Options.netrcFile),
  ]

  static func network(
    _ arguments: Arguments, _ console: Console, cache: String
  ) throws(UsageError) -> NetworkOptions {
    var network = NetworkOptions()
    network.allowedAddresses = arguments[Options.allowAddress]
    network.proxy = arguments[Options.proxy]
    network.authorityFile = try arguments.existingFile(Options.caFile)
    network.netrcFile = try arguments.existingFile(Options.netrcFile)
    if let bad = network.badAddressBlock {
      throw UsageError("--allow-address: bad value '\(bad)' (expected CIDR)")
    }
    guard network.hasUsableProxy else {
      // Not the value: it may hold a password.
      throw UsageError("--proxy: bad value (expected http://HOST:PORT)")
    }
    if let objection = network.authorityObjection, let file = network.authorityFile {
      throw UsageError("--ca-file: bad value '\(file)' (\(objection))")
    }
    network.netrcCandidates = [
      "\(cache)/credentials.netrc",
      console.environment["CREDENTIALS_DIRECTORY"].map { "\($0)/netrc" },
    ].compactMap { $0 }
    return network
  }
}
