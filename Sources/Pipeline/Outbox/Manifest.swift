package import Media

/// What a consumer reads of a finished job (contract §4).
package struct Manifest: Sendable, Hashable {
  package enum Status: String, Sendable, Hashable, CaseIterable {
    /// Every wanted attachment in full, or none was wanted.
    case complete
    /// Something by a lower rung.
    case degraded
    case textOnly
    /// The job's own deadline had passed when it came.
    case expired
  }

  package static let version = 1
  package static let fileName = "manifest.json"

  package var id: String
  /// Counts the manifests of one id, from 1; the outbox sets it.
  package var generation = 1
  package var status: Status
  package var notification: Notification
  /// The first is the one shown.
  package var attachments: [Attachment]
  package var problems: [Problem]
  package var timing: Timing

  package init(
    id: String, status: Status, notification: Notification, attachments: [Attachment] = [],
    problems: [Problem] = [], timing: Timing
  ) {
    self.id = id
    self.status = status
    self.notification = notification
    self.attachments = attachments
    self.problems = problems
    self.timing = timing
  }
}

extension Manifest {
  /// What a person reads.
  package struct Notification: Sendable, Hashable {
    package var title: String?
    package var subtitle: String?
    package var body: String?
    package var url: String?
    package var categoryIdentifier: String?
    package var threadIdentifier: String?
    /// The category's actions, as settings.json has them.
    package var actions: [JSONValue] = []
    /// As they came.
    package var drafts: JSONValue = []

    package init() {}

    /// What the payload says.
    package init(_ payload: Payload) {
      title = payload.title
      subtitle = payload.mediaCompany
      body = payload.body
      url = payload.url
      categoryIdentifier = payload.categoryIdentifier
      threadIdentifier = payload.threadIdentifier
      drafts = payload.drafts
    }
  }

  /// When a job came, was due and was done, and where the time went.
  package struct Timing: Sendable, Hashable {
    /// Whole milliseconds; nil for a stage that the job did not pass.
    package struct Milliseconds: Sendable, Hashable {
      package var queued: Int?
      package var page: Int?
      package var download: Int?
      package var decode: Int?
      package var publish: Int?
      package var total: Int?

      package init() {}
    }

    package var arrived: Timestamp
    package var deadline: Timestamp
    package var finished: Timestamp
    package var milliseconds = Milliseconds()

    package init(arrived: Timestamp, deadline: Timestamp, finished: Timestamp) {
      self.arrived = arrived
      self.deadline = deadline
      self.finished = finished
    }
  }
}
