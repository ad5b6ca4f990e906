/// Exit codes by which a child tells why it ended without an answer (sysexits.h where one fits).
enum ChildExit {
  /// A crash that followed a failed allocation.
  static let memoryCode: Int32 = 71
  /// What came over the control socket was no request (EX_PROTOCOL).
  static let protocolCode: Int32 = 76
}
