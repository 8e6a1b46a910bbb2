// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Tells ThreadSanitizer about locks of Swift's `Mutex` that a thread waited for; without the sanitizer it is empty.
//
// If no thread waits, the caller's own code takes and releases the lock by a change of a word, which the sanitizer watches.
// Otherwise Swift's library does it unwatched, and the kernel hands the lock over. The sanitizer would then miss the order
// between the two threads. So these functions replace those of the library, under the same names.
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

typedef SWIFT void Lock(uint32_t thread, SELF void *mutex);
typedef SWIFT bool TryLock(SELF void *mutex);
typedef SWIFT void Unlock(SELF void *mutex);

Lock WatchedMutex_lock __asm__(LOCK);
TryLock WatchedMutex_tryLock __asm__(TRY_LOCK);
Unlock WatchedMutex_unlock __asm__(UNLOCK);

SWIFT void WatchedMutex_lock(uint32_t thread, SELF void *mutex) {
  ((Lock *)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT bool WatchedMutex_tryLock(SELF void *mutex) {
  bool isLocked = ((TryLock *)dlsym(RTLD_NEXT, TRY_LOCK))(mutex);
  if (isLocked) __tsan_acquire(mutex);
  return isLocked;
}

SWIFT void WatchedMutex_unlock(SELF void *mutex) {
  __tsan_release(mutex);
  ((Unlock *)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
#endif
