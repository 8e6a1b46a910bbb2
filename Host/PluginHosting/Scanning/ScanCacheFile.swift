// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file with the results of earlier scans. Control thread.

import Glibc
import LinuxSystem

/// Reads and writes the cache; several processes may do so at once.
struct ScanCacheFile {
    let path: String

    /// Reads the file; also returns a sentence if it exists but cannot be used.
    func read() -> (cache: ScanCache, warning: String?) {
        guard !FilePath.isAbsent(path) else { return (ScanCache(), nil) }
        do {
            let data = try SmallFile.read(path, maximumByteCount: ScanCache.maximumByteCount)
            return (try ScanCache(bytes: Array(data)), nil)
        } catch {
            let reason = (error as? FileDefect)?.reason ?? "\(error)"
            return (ScanCache(), "The list of scanned plug-ins \"\(path)\" is written anew: \(reason).")
        }
    }

    /// Writes the whole file or nothing; returns a sentence if that fails.
    func write(_ cache: ScanCache) -> String? {
        do throws(SystemError) {
            try ReplacedFile.write(cache.bytes, to: path)
            return nil
        } catch {
            return "\(error) The next command will scan again."
        }
    }
}
