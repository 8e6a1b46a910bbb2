// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The part of long tests that `make test` runs; `make deep` runs all of them. Any thread.

import Glibc

/// A sample of many cases.
package enum Sample {
    /// Whether all cases are tried: BULKHEAD_DEEP is set, as in `make deep`.
    package static let isWhole = getenv("BULKHEAD_DEEP") != nil

    /// Every `share`th element, or all if all cases are tried; another `first` gives other elements.
    package static func of<Element>(_ all: [Element], oneIn share: Int, from first: Int = 0) -> [Element] {
        isWhole ? all : all.enumerated().filter { $0.offset % share == first % share }.map(\.element)
    }
}
