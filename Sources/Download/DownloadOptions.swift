/// What holds for every transfer of one downloader.
package struct DownloadOptions: Sendable {
  package var userAgent: String
  package var policy: AddressPolicy
  /// A proxy's address; it then checks the targets' addresses in our place.
  package var proxy: String?
  /// A PEM file of authorities, trusted beside the system's.
  package var authorityFile: String?
  package var credentials: Credentials?
  package var maximumTransfers: Int
  package var maximumPerHost: Int
  package var maximumRedirects: Int
  /// Name lookup, connection and TLS handshake together.
  package var connectTimeout: Duration
  /// What is laid down for single hosts, now.
  package var hostRules: @Sendable () -> HostRules = { HostRules() }

  package init(
    userAgent: String, policy: AddressPolicy = AddressPolicy(), proxy: String? = nil,
    authorityFile: String? = nil, credentials: Credentials? = nil, maximumTransfers: Int = 64,
    maximumPerHost: Int = 6, maximumRedirects: Int = 5, connectTimeout: Duration = .seconds(10)
  ) {
    self.userAgent = userAgent
    self.policy = policy
    self.proxy = proxy
    self.authorityFile = authorityFile
    self.credentials = credentials
    self.maximumTransfers = maximumTransfers
    self.maximumPerHost = maximumPerHost
    self.maximumRedirects = maximumRedirects
    self.connectTimeout = connectTimeout
  }

  /// Our honest name: `Wirephoto/1.0 (+https://…; bot)`.
  package static func userAgent(version: String, about address: String) -> String {
    "Wirephoto/\(version) (+\(address); bot)"
  }
}
