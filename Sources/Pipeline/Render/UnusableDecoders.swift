/// No decoder child can be started, or none that is confined: the environment is at fault (exit 3).
package struct UnusableDecoders: Error, Sendable, Hashable {
  package let reason: String
}
