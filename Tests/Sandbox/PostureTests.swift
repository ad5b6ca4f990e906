import Sandbox
import Testing

@Suite struct PostureTests {
  static let full = SandboxPosture(
    landlockABI: 2, seccomp: true, noNewPrivileges: true, resourceLimits: true)

  @Test func `all layers deny everything`() {
    #expect(Self.full.isSufficient)
    #expect(Self.full.missing.isEmpty)
  }

  @Test func `the filter denies the file system where Landlock is missing`() {
    var posture = Self.full
    posture.landlockABI = nil
    #expect(posture.isSufficient)
  }

  @Test func `Landlock alone denies neither network nor exec`() {
    var posture = Self.full
    posture.seccomp = false
    #expect(posture.missing == [.network, .exec])
    posture.landlockABI = nil
    #expect(posture.missing == [.fileSystem, .network, .exec])
  }

  @Test func `memory is denied by limits alone`() {
    var posture = Self.full
    posture.resourceLimits = false
    #expect(posture.missing == [.memory])
  }
}
