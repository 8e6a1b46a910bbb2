// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The headers of sound files, as the host reads them before libsndfile does. The fuzzer's thread.

import Glibc

@testable import AudioFiles

extension FuzzTarget {
    static let soundFileHeader = FuzzTarget("sound-file-header", seeds: [wave, wave64]) { bytes in
        let file = open(FuzzedFile.path(holding: bytes), O_RDONLY)
        defer { close(file) }
        guard let header = ContainerHeader(descriptor: file, byteCount: UInt64(bytes.count)) else { return }
        if let truncation = header.truncation { precondition(truncation.promised > truncation.present) }
    }

    private static let format: [UInt8] = [1, 0, 2, 0, 0x80, 0xBB, 0, 0, 0, 0xEE, 2, 0, 4, 0, 16, 0]

    private static var wave: [UInt8] {
        Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0] + format + Array("data".utf8) + [4, 0, 0, 0]
            + [1, 2, 3, 4]
    }

    private static var wave64: [UInt8] {
        let sizes = [UInt8](repeating: 0, count: 8) + [4] + [UInt8](repeating: 0, count: 19)
        return Array("RF64".utf8) + [255, 255, 255, 255] + Array("WAVEds64".utf8) + [28, 0, 0, 0] + sizes + Array("fmt ".utf8)
            + [16, 0, 0, 0] + format + Array("data".utf8) + [255, 255, 255, 255] + [1, 2, 3, 4]
    }
}
