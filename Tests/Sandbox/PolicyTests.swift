import Sandbox
import Testing

@Suite struct PolicyTests {
  /// A row more is a door more: raise these numbers only with a reason in the row.
  @Test(arguments: [(ChildFamily.image, 22), (.page, 21), (.heif, 22), (.av, 22)])
  func `the filter allows as many calls as were reviewed`(_ family: ChildFamily, _ count: Int) {
    let rules = SystemCallPolicy.rules(for: family, process: 1)
    #expect(rules.count { $0.action == .allow } == count)
    #expect(count <= 24)
    #expect(rules.count { $0.action != .allow } == (family == .av ? 1 : 0))
  }

  @Test(arguments: ChildFamily.allCases) func `no row is there twice or without a reason`(
    _ family: ChildFamily
  ) {
    let rules = SystemCallPolicy.rules(for: family, process: 1)
    #expect(Set(rules.map(\.call)).count == rules.count)
    #expect(rules.allSatisfy { !$0.reason.isEmpty })
  }

  @Test(arguments: ChildFamily.allCases) func `code, processes and signals have their conditions`(
    _ family: ChildFamily
  ) {
    for rule in SystemCallPolicy.rules(for: family, process: 4711) where rule.action == .allow {
      switch rule.call {
      case "mmap", "mprotect":
        // PROT_EXEC is 4 (POSIX sys/mman.h), the third argument.
        #expect(rule.condition == .init(argument: 2, mask: 4, value: 0))
      case "tgkill":
        #expect(rule.condition == .init(argument: 0, mask: .max, value: 4711))
      default:
        #expect(rule.condition == nil)
      }
    }
  }

  /// Linux 6.1 is ABI 2, 6.2 ABI 3, 6.7 ABI 4, 6.10 ABI 5, 6.12 ABI 6 (the kernel's landlock page).
  @Test(arguments: [
    (1, 0x1fff, 0, 0, 8), (2, 0x3fff, 0, 0, 8), (3, 0x7fff, 0, 0, 8), (4, 0x7fff, 3, 0, 16),
    (5, 0xffff, 3, 0, 16), (6, 0xffff, 3, 3, 24), (7, 0xffff, 3, 3, 24), (99, 0xffff, 3, 3, 24),
  ]) func `Landlock is asked for all that the kernel's version can deny`(
    _ abi: Int, _ files: UInt64, _ network: UInt64, _ scopes: UInt64, _ size: Int
  ) throws {
    let rights = try #require(LandlockRights(abi: abi))
    #expect(rights.fileSystem == files)
    #expect(rights.network == network)
    #expect(rights.scopes == scopes)
    #expect(rights.attributeSize == size)
  }

  @Test func `a kernel without Landlock has no rights to deny`() {
    #expect(LandlockRights(abi: -1) == nil)
    #expect(LandlockRights(abi: 0) == nil)
  }
}
