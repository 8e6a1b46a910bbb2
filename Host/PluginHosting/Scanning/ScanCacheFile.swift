// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file of earlier scans' results. Control thread.

import Glibc
import LinuxSystem

/// Reads and writes the cache; several processes may do so at once.
struct ScanCacheFile {
    let path: String

    /// The file's contents, and a sentence when the file exists and cannot be used.
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

    /// Writes the file whole or not at all; returns a sentence when that fails.
    func write(_ cache: ScanCache) -> String? {
        do throws(SystemError) {
            try ReplacedFile.write(cache.bytes, to: path)
            return nil
        } catch {
            return "\(error) The next command will scan again."
        }
    }
}
