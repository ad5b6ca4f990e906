#pragma once

#include <curl/curl.h>

// curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic, which Swift does not
// import: one wrapper per argument type. No policy: options and values come from Swift.

typedef size_t (*ccurl_data_callback)(char *_Nullable, size_t, size_t, void *_Nullable);

// Cast macros.
static const long ccurl_auth_basic = CURLAUTH_BASIC;
static const long ccurl_auth_bearer = CURLAUTH_BEARER;

static inline CURLcode ccurl_set_long(CURL *_Nonnull easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_string(CURL *_Nonnull easy, CURLoption option,
                                        const char *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *_Nonnull easy, CURLoption option,
                                         void *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_list(CURL *_Nonnull easy, CURLoption option,
                                      struct curl_slist *_Nullable value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_data_callback(CURL *_Nonnull easy, CURLoption option,
                                               ccurl_data_callback _Nonnull value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_open_socket_callback(
    CURL *_Nonnull easy, curl_opensocket_callback _Nonnull value) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode ccurl_set_prerequest_callback(
    CURL *_Nonnull easy, curl_prereq_callback _Nonnull value) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode ccurl_get_long(CURL *_Nonnull easy, CURLINFO info, long *_Nonnull value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *_Nonnull easy, CURLINFO info,
                                        curl_off_t *_Nonnull value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_pointer(CURL *_Nonnull easy, CURLINFO info,
                                         void *_Nullable *_Nonnull value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *_Nonnull multi, CURLMoption option,
                                             long value) {
  return curl_multi_setopt(multi, option, value);
}

/// The finished transfer and its result; null when there is none. CURLMsg holds a union.
static inline CURL *_Nullable ccurl_next_finished(CURLM *_Nonnull multi, CURLcode *_Nonnull result) {
  int left = 0;
  for (;;) {
    CURLMsg *message = curl_multi_info_read(multi, &left);
    if (!message) return NULL;
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
}

/// Waits for curl's own descriptors and for one of ours.
static inline CURLMcode ccurl_poll(CURLM *_Nonnull multi, int descriptor, int milliseconds) {
  struct curl_waitfd extra = {.fd = descriptor, .events = CURL_WAIT_POLLIN, .revents = 0};
  int ready = 0;
  return curl_multi_poll(multi, &extra, 1, milliseconds, &ready);
}
