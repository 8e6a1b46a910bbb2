// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A short text that changes when the code of a plug-in is replaced. Control thread.

import Glibc

extension Component {
    /// The size and the latest change of the plug-in's files; nil if they cannot be read.
    ///
    /// For a classic plug-in it includes the bridge's files. A plug-in that is installed anew has another stamp. Presets for it
    /// in other bundles count as well.
    package var codeStamp: String? {
        let files = [executablePath] + [libraryPath].compactMap { $0 }
        var stamps = [try? FileStamp(files: files, folders: extensionPaths)]
        if let locationPath {
            let isFile = FilePath.isFile(locationPath)
            stamps.append(isFile ? try? FileStamp(files: [locationPath]) : try? FileStamp(folder: locationPath))
        }
        let words = stamps.compactMap { $0.map { "\($0.byteCount) bytes of \($0.modifiedNanoseconds)" } }
        return words.count == stamps.count ? words.joined(separator: ", ") : nil
    }
}
