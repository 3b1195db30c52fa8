#pragma once

// SMEC_ADDRESS_SANITIZER, SMEC_THREAD_SANITIZER: which sanitizer the test is built with. g++ says it by macros of its own, clang by features.

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SMEC_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define SMEC_THREAD_SANITIZER
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SMEC_ADDRESS_SANITIZER
#endif
#ifdef __SANITIZE_THREAD__
#define SMEC_THREAD_SANITIZER
#endif
