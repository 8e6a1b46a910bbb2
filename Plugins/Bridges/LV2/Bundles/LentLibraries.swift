// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Libraries for plug-ins that use them without linking them, because most hosts have them loaded. Control thread.

import Glibc

/// Loads a plug-in's library, and the libraries that it forgot to link.
enum LentLibraries {
    /// The prefixes of missing functions' names, and the libraries that have them.
    private static let lenders = [("fftwf_", "libfftw3f.so.3"), ("fftw_", "libfftw3.so.3"), ("", "libm.so.6")]

    /// Opens a library, which stays loaded; on failure the result is the loader's reason.
    static func open(_ file: String) -> Result<UnsafeMutableRawPointer, Refusal> {
        var lent: Set<String> = []
        while true {
            if let library = dlopen(file, RTLD_NOW | RTLD_LOCAL) { return .success(library) }
            let reason = String(cString: dlerror())
            guard let name = reason.split(separator: " ").last, reason.contains("undefined symbol: "),
                let lender = lenders.first(where: { name.hasPrefix($0.0) })?.1, lent.insert(lender).inserted,
                dlopen(lender, RTLD_NOW | RTLD_GLOBAL) != nil
            else { return .failure(Refusal(reason: reason)) }
        }
    }

    struct Refusal: Error {
        let reason: String
    }
}
