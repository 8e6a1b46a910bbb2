// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A limit on the shown output of one process. Output thread.

/// Saves up bytes while time passes, and pays with them for each line.
struct OutputAllowance {
    /// The most bytes at once, and the bytes that each second adds.
    static let (burst, perSecond) = (64 << 10, 16 << 10)

    private var bytes = Double(burst)
    private var lastNanoseconds: UInt64

    init(now: UInt64) { lastNanoseconds = now }

    /// Pays for `byteCount` bytes; false if too few are left.
    mutating func pay(_ byteCount: Int, now: UInt64) -> Bool {
        bytes = min(Double(Self.burst), bytes + Double(max(now, lastNanoseconds) - lastNanoseconds) / 1e9 * Double(Self.perSecond))
        lastNanoseconds = max(now, lastNanoseconds)
        guard bytes >= Double(byteCount) else { return false }
        bytes -= Double(byteCount)
        return true
    }
}
