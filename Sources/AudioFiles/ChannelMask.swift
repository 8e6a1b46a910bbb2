// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writes the channel mask 0 into a finished WAV header, for channels without speakers. Control thread.

import Glibc
import LinuxSystem

/// The channel mask of a WAV file; libsndfile writes the mask of the usual speakers even if 0 is wanted.
enum ChannelMask {
    /// Writes zero over the mask, if the header has one.
    static func clear(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            let mask = ContainerHeader(descriptor: descriptor, byteCount: UInt64(status.st_size))?.channelMask
        else { return }
        _ = withUnsafeBytes(of: UInt32(0)) { SystemCall.write($0, to: descriptor, at: Int(mask.byteOffset)) }
    }
}
