import Files
import Glibc
import TestSupport
import Testing

@Suite struct DescriptorTests {
  @Test("A descriptor is closed with its owner") func closing() throws {
    let number: Int32
    do {
      let file = try MemoryFile.create("test")
      number = try file.duplicate().release()
    }
    #expect(fcntl(number, F_GETFD) >= 0)
    close(number)
    #expect(fcntl(number, F_GETFD) == -1)
  }

  @Test("Opened descriptors are not passed to programs") func closeOnExec() throws {
    let file = try Descriptor.open("/dev/null", flags: O_RDONLY)
    #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test("Reading gives what is there, up to the limit", arguments: [0, 1, 65_536, 200_000])
  func reading(count: Int) throws {
    let folder = try TemporaryDirectory()
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let path = try folder.write(bytes, to: "file")
    #expect(try Descriptor.open(path, flags: O_RDONLY).readToEnd(limit: count) == bytes)
    if count > 0 {
      #expect(try Descriptor.open(path, flags: O_RDONLY).readToEnd(limit: count - 1) == nil)
    }
    let tail = try Descriptor.open(path, flags: O_RDONLY).read(at: count / 2, count: count)
    #expect(tail == Array(bytes[(count / 2)...]))
  }

  @Test("A failure names the call, the path and the reason") func failure() {
    let error = #expect(throws: SystemCallFailure.self) {
      _ = try Descriptor.open("/nonexistent/file", flags: O_RDONLY)
    }
    #expect(error?.number == ENOENT)
    #expect(error?.description == "open /nonexistent/file: No such file or directory")
  }

  @Test("A sealed memory file can neither be written, grown nor shrunk") func sealing() throws {
    let file = try MemoryFile.sealed("test", holding: Array("fixed".utf8))
    #expect(throws: SystemCallFailure.self) { try file.write(Array("x".utf8)) }
    #expect(ftruncate(file.number, 0) == -1)
    #expect(ftruncate(file.number, 100) == -1)
    #expect(try file.read(at: 0, count: 10) == Array("fixed".utf8))
  }
}

@Suite struct DirectoryTests {
  @Test("A symbolic link is not followed") func symbolicLink() throws {
    let folder = try TemporaryDirectory()
    try folder.write("secret", to: "target")
    unsafe symlink("target", folder.path(of: "link"))
    let directory = try Directory(opening: folder.path)
    let error = #expect(throws: SystemCallFailure.self) {
      _ = try directory.open("link", flags: O_RDONLY)
    }
    #expect(error?.number == ELOOP)
  }

  @Test("An exclusive rename leaves a taken name alone") func exclusiveRename() throws {
    let folder = try TemporaryDirectory()
    try folder.write("a", to: "a")
    try folder.write("b", to: "b")
    let directory = try Directory(opening: folder.path)
    let error = #expect(throws: SystemCallFailure.self) {
      try directory.rename("a", to: "b", in: directory, exclusively: true)
    }
    #expect(error?.number == EEXIST)
    #expect(try folder.read("b") == Array("b".utf8))
    try directory.exchange("a", with: "b", in: directory)
    #expect(try folder.read("b") == Array("a".utf8))
  }

  @Test("A made directory has its mode whatever the umask") func mode() throws {
    let folder = try TemporaryDirectory()
    let directory = try Directory(opening: folder.path)
    try directory.makeDirectory("made", mode: 0o2770)
    try directory.makeDirectory("made", mode: 0o2770)
    #expect(try directory.status(of: "made")?.permissions == 0o2770)
  }
}

@Suite struct FileNameTests {
  @Test(
    "Any bytes have a string of their own, and come back",
    arguments: [
      Array("caf\u{E9}.json".utf8), [0x63, 0xE9, 0x2E], [0xFF], [0xF0, 0x9F, 0x98],
      Array("a\u{10FFE9}b".utf8), [0xE9, 0xF4, 0x8F, 0xBF, 0xA9], Array("😀".utf8),
    ])
  func roundTrip(bytes: [UInt8]) {
    #expect(FileName.bytes(of: FileName.text(bytes)) == bytes)
  }

  @Test("Two names never share a string")
  func distinct() {
    #expect(FileName.text([0xE9]) != FileName.text(Array("\u{10FFE9}".utf8)))
    #expect(FileName.shown(FileName.text([0x63, 0xE9])) == "c\u{FFFD}")
  }

  @Test("A file whose name is not UTF-8 is listed, opened, renamed and removed")
  func files() throws {
    let folder = try TemporaryDirectory()
    let directory = try Directory(opening: folder.path)
    let name = FileName.text([0x61, 0xFF])
    try directory.open(name, flags: O_WRONLY | O_CREAT).write(Array("x".utf8))
    var names: [String] = []
    try directory.forEachName { found in
      names.append(found)
      return true
    }
    #expect(names == [name])
    #expect(try directory.status(of: name)?.size == 1)
    try directory.rename(name, to: "plain", in: directory)
    #expect(try folder.read("plain") == Array("x".utf8))
    try directory.rename("plain", to: name, in: directory)
    try directory.remove(name)
    #expect(try folder.names().isEmpty)
  }
}

@Suite struct NewFileTests {
  @Test("A whole file appears, and a taken name stays as it was") func writing() throws {
    let folder = try TemporaryDirectory()
    let path = folder.path(of: "file")
    try NewFile.write(Array("one".utf8), to: path, overwriting: false)
    let error = #expect(throws: SystemCallFailure.self) {
      try NewFile.write(Array("two".utf8), to: path, overwriting: false)
    }
    #expect(error?.number == EEXIST)
    #expect(try folder.read("file") == Array("one".utf8))
    try NewFile.write(Array("two".utf8), to: path, overwriting: true)
    #expect(try folder.read("file") == Array("two".utf8))
    #expect(try folder.names() == ["file"])
  }
}

@Suite struct MemoryFileTests {
  @Test("A file becomes one in memory under the same descriptor, with the bytes that have come")
  func replacing() throws {
    let folder = try TemporaryDirectory()
    let bytes = (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let path = try folder.write(bytes, to: "file")
    let file = try Descriptor.open(path, flags: O_RDWR)
    let number = file.number
    try MemoryFile.replace(number, keeping: 2_000_001)
    #expect(file.number == number)
    #expect(try file.size() == 2_000_001)
    #expect(try file.read(at: 0, count: 3_000_000) == Array(bytes.prefix(2_000_001)))
    #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
    // What lies on the disk stays, and nothing more is written there.
    let more: [UInt8] = [1, 2, 3]
    #expect(unsafe pwrite(number, more, 3, 2_000_001) == 3)
    #expect(try folder.read("file") == bytes)
    try MemoryFile.seal(file)
    #expect(unsafe pwrite(number, more, 3, 0) == -1)
  }

  @Test("A file that has fewer bytes than are to be kept stays what it is") func short() throws {
    let folder = try TemporaryDirectory()
    let file = try Descriptor.open(folder.write(Array("abc".utf8), to: "file"), flags: O_RDWR)
    #expect(throws: SystemCallFailure.self) { try MemoryFile.replace(file.number, keeping: 4) }
    #expect(unsafe pwrite(file.number, [UInt8(ascii: "x")], 1, 0) == 1)
    #expect(try folder.read("file") == Array("xbc".utf8))
  }
}
