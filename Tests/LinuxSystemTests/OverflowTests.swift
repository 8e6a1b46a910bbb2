// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The positive control of AddressSanitizer: real overflows, committed only when BULKHEAD_OVERFLOW is set. Test thread.

import CLinuxShims
import Glibc
import Testing

@Suite(.enabled(if: getenv("BULKHEAD_OVERFLOW") != nil, "planted for .ci/sanitizers")) struct OverflowTests {
    @Test func theSanitizerSeesAnOverflowInSwift() {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
        defer { table.deallocate() }
        table.initialize(repeating: 0, count: 16)
        table[16 + Int(getpid() & 0)] = 1
    }

    /// The shim itself writes past the end, so the sanitizer sees it only if it watches the shims too.
    @Test func theSanitizerSeesAnOverflowInTheShims() {
        let counts = UnsafeMutablePointer<Int32>.allocate(capacity: 4)
        defer { counts.deallocate() }
        var byte: UInt8 = 0
        var descriptors = [Int32](repeating: -1, count: 16)
        _ = CLinuxShims_receive(-1, &byte, 1, &descriptors, counts + 4)
    }
}
