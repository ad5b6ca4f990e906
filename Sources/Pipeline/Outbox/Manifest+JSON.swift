package import Media

extension Manifest {
  /// The manifest as contract §4 writes it: every key present, null where it does not apply.
  package var json: JSONValue {
    [
      "version": 1, "id": .string(id), "generation": JSONValue(generation),
      "status": .string(status.rawValue), "notification": notification.json,
      "attachments": .array(attachments.map(\.json)), "problems": .array(problems.map(\.json)),
      "timing": timing.json,
    ]
  }
}

extension Manifest.Notification {
  var json: JSONValue {
    [
      "title": JSONValue(title), "subtitle": JSONValue(subtitle), "body": JSONValue(body),
      "url": JSONValue(url), "categoryIdentifier": JSONValue(categoryIdentifier),
      "threadIdentifier": JSONValue(threadIdentifier), "actions": .array(actions),
      "drafts": drafts,
    ]
  }
}

extension Manifest.Attachment {
  var json: JSONValue {
    [
      "identifier": .string(identifier), "kind": .string(kind.rawValue),
      "altText": JSONValue(altText), "rung": .string(rung.rawValue), "source": source.json,
      "renditions": .array(renditions.map(\.json)), "playButton": .string(playButton.rawValue),
      "thumbHash": JSONValue(thumbHash), "dominantColor": JSONValue(dominantColor),
    ]
  }
}

extension Manifest.Source {
  var json: JSONValue {
    [
      "url": JSONValue(url), "finalURL": JSONValue(finalURL),
      "format": JSONValue(format?.rawValue), "width": JSONValue(size?.width),
      "height": JSONValue(size?.height), "bytes": JSONValue(bytes),
      "durationSeconds": JSONValue(durationSeconds), "codecs": JSONValue(codecs),
      "cache": JSONValue(cache?.rawValue),
    ]
  }
}

extension Manifest.Rendition {
  var json: JSONValue {
    [
      "profile": .string(profile), "role": .string(role.rawValue), "file": JSONValue(file),
      "objectURL": JSONValue(objectURL), "typeIdentifier": JSONValue(format.typeIdentifier),
      "mimeType": .string(format.mimeType), "width": JSONValue(size?.width),
      "height": JSONValue(size?.height), "frames": JSONValue(frames), "bytes": JSONValue(bytes),
      "sha256": .string(sha256), "decodedBytes": JSONValue(decodedBytes), "options": options.json,
    ]
  }
}

extension Manifest.Options {
  var json: JSONValue {
    [
      "typeHint": JSONValue(typeHint),
      "thumbnailClippingRect": thumbnailClippingRect.map { rectangle in
        let sides = [rectangle.x, rectangle.y, rectangle.width, rectangle.height]
        return .array(sides.map { JSONValue($0) })
      } ?? .null,
      "thumbnailTime": JSONValue(thumbnailTime), "thumbnailHidden": .bool(thumbnailHidden),
    ]
  }
}

extension Manifest.Timing {
  var json: JSONValue {
    [
      "arrived": .string(arrived.rfc3339), "deadline": .string(deadline.rfc3339),
      "finished": .string(finished.rfc3339),
      "milliseconds": [
        "queued": JSONValue(milliseconds.queued), "page": JSONValue(milliseconds.page),
        "download": JSONValue(milliseconds.download), "decode": JSONValue(milliseconds.decode),
        "publish": JSONValue(milliseconds.publish), "total": JSONValue(milliseconds.total),
      ],
    ]
  }
}

extension Problem {
  /// A problem as manifests and reports write it.
  package var json: JSONValue {
    [
      "severity": .string(severity.rawValue), "stage": .string(stage.rawValue),
      "code": .string(code.rawValue), "message": .string(message), "url": JSONValue(url),
    ]
  }
}
