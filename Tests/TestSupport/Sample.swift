// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// How much `make test` tries of what takes minutes; `make deep` tries all of it. Any thread.

import Glibc

/// A part of many things to try.
package enum Sample {
    /// Whether everything is tried: BULKHEAD_DEEP is set, as `make deep` sets it.
    package static let isWhole = getenv("BULKHEAD_DEEP") != nil

    /// Every `share`th element, or all where everything is tried; another `first` gives other ones.
    package static func of<Element>(_ all: [Element], oneIn share: Int, from first: Int = 0) -> [Element] {
        isWhole ? all : all.enumerated().filter { $0.offset % share == first % share }.map(\.element)
    }
}
