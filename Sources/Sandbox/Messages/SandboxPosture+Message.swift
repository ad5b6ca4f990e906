extension SandboxPosture: Message {
  package func write(to message: inout MessageWriter) {
    message.append(landlockABI) { $0.append($1) }
    message.append(seccomp)
    message.append(noNewPrivileges)
    message.append(resourceLimits)
  }

  package init(from message: inout MessageReader) throws(MessageFailure) {
    self.init(
      landlockABI: try message.readOptional { message throws(MessageFailure) in
        try message.read(Int.self)
      },
      seccomp: try message.read(),
      noNewPrivileges: try message.read(),
      resourceLimits: try message.read())
  }
}
