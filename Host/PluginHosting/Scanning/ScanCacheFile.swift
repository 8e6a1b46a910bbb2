// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file in which scans are remembered. Control thread.

import Glibc
import LinuxSystem
import Wire

/// Reads and writes the cache; several processes may do so at once.
struct ScanCacheFile {
    let path: String

    /// What the file holds, and a sentence when there is one that cannot be used.
    func read() -> (cache: ScanCache, warning: String?) {
        do throws(WireViolation) {
            guard let bytes = try SmallFile.read(path, maximumByteCount: ScanCache.maximumByteCount) else {
                return (ScanCache(), nil)
            }
            return (try ScanCache(bytes: bytes), nil)
        } catch {
            return (ScanCache(), "The list of scanned plug-ins \"\(path)\" is made anew: \(error).")
        }
    }

    /// Writes the file whole or not at all; a sentence when that cannot be done.
    func write(_ cache: ScanCache) -> String? {
        do throws(SystemError) {
            try SmallFile.replace(path, with: cache.bytes)
            return nil
        } catch {
            return "\(error) The next command will scan again."
        }
    }
}
