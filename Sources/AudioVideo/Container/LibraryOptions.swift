internal import CAV

/// Named options for one call of the libraries.
@safe struct LibraryOptions: ~Copyable {
  var dictionary: OpaquePointer?

  /// The corresponding C function is `av_dict_set`.
  init(_ options: [String: String]) {
    unsafe dictionary = nil
    for (name, value) in options { unsafe av_dict_set(&dictionary, name, value, 0) }
  }

  deinit {
    var dictionary = unsafe dictionary
    unsafe av_dict_free(&dictionary)
  }
}
