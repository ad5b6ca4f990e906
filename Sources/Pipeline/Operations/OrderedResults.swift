/// Works on elements in parallel, at most `width` at once, and hands each result over in the
/// elements' order as soon as it and all before it are there.
package func inOrder<Element: Sendable, Result: Sendable>(
  _ elements: [Element], width: Int,
  work: @escaping @Sendable (Element) async -> Result,
  deliver: (Result) -> Void
) async {
  await withTaskGroup(of: (Int, Result).self) { group in
    var started = 0
    var delivered = 0
    var early: [Int: Result] = [:]
    func start() {
      guard started < elements.count else { return }
      let (index, element) = (started, elements[started])
      started += 1
      group.addTask { (index, await work(element)) }
    }
    for _ in 0..<max(1, width) { start() }
    while let (index, result) = await group.next() {
      early[index] = result
      while let next = early.removeValue(forKey: delivered) {
        deliver(next)
        delivered += 1
      }
      start()
    }
  }
}
