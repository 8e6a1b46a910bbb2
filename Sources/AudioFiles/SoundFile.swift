// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// An open libsndfile handle and its descriptor, closed in the right order. Control thread.

import CSndFile
import Synchronization

/// One libsndfile handle over one `SoundFileIO`.
final class SoundFile {
    let io: SoundFileIO
    let info: SF_INFO
    private var handle: OpaquePointer?

    /// Held while a file is opened: libsndfile keeps the reason for a failure in one global variable.
    private static let opening = Mutex<Void>(())

    /// A refusal by libsndfile: its error number and its text.
    struct Refusal: Error, Sendable {
        let code: Int
        let words: String
    }

    /// Opens for reading (`SFM_READ`) or writing (`SFM_WRITE`); `info` states the format to write.
    init(_ io: SoundFileIO, mode: Int, info: SF_INFO = SF_INFO()) throws(Refusal) {
        // SAFETY: both stay on this thread; the lock runs its closure here and at once.
        nonisolated(unsafe) let user = Unmanaged.passUnretained(io).toOpaque()
        nonisolated(unsafe) var opened: OpaquePointer?
        var info = info
        let refusal = Self.opening.withLock { _ in
            opened = Self.open(user, CInt(mode), &info)
            return opened == nil ? Refusal(code: Int(sf_error(nil)), words: Self.words(of: nil)) : nil
        }
        if let refusal { throw refusal }
        self.io = io
        self.info = info
        handle = opened
    }

    deinit { close() }

    private static func open(
        _ user: UnsafeMutableRawPointer, _ mode: CInt, _ info: inout SF_INFO
    ) -> OpaquePointer? {
        var callbacks = SoundFileIO.callbacks
        return sf_open_virtual(&callbacks, mode, &info, user)
    }

    /// Closes the handle, which writes all pending data; the descriptor stays open.
    func close() {
        if let handle { sf_close(handle) }
        handle = nil
    }

    func read(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
        guard let handle else { return 0 }
        return max(0, Int(sf_readf_float(handle, samples, sf_count_t(frameCount))))
    }

    func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int {
        guard let handle else { return 0 }
        return max(0, Int(sf_writef_float(handle, samples, sf_count_t(frameCount))))
    }

    /// Writes integers; the samples are in their upper bits.
    func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int {
        guard let handle else { return 0 }
        return max(0, Int(sf_writef_int(handle, samples, sf_count_t(frameCount))))
    }

    func text(_ kind: CInt) -> String? {
        guard let handle, let text = sf_get_string(handle, kind) else { return nil }
        return String(cString: text)
    }

    func set(_ kind: CInt, text: String) { if let handle { sf_set_string(handle, kind, text) } }

    /// Room for an `SF_BROADCAST_INFO` with a coding history of almost 16 kB, the most that libsndfile accepts.
    private static let broadcastByteCount = MemoryLayout<SF_BROADCAST_INFO>.size + 16_000 - 256

    /// The bytes of an `SF_BROADCAST_INFO` with its whole coding history; nil without one.
    var broadcastInformation: [UInt8]? {
        guard let handle else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.broadcastByteCount)
        guard sf_command(handle, CInt(SFC_GET_BROADCAST_INFO), &bytes, CInt(bytes.count)) != 0 else { return nil }
        return bytes
    }

    func set(broadcastInformation: [UInt8]) {
        guard let handle, broadcastInformation.count >= MemoryLayout<SF_BROADCAST_INFO>.size else { return }
        var bytes = broadcastInformation
        sf_command(handle, CInt(SFC_SET_BROADCAST_INFO), &bytes, CInt(bytes.count))
    }

    func seek(toFrame frame: Int) -> Bool {
        guard let handle else { return false }
        return sf_seek(handle, sf_count_t(frame), CInt(SEEK_SET)) == sf_count_t(frame)
    }

    /// Sends a command with numbers; false if it was not understood.
    func command(_ command: Int, _ numbers: inout [CInt]) -> Bool {
        guard let handle else { return false }
        let byteCount = CInt(numbers.count * MemoryLayout<CInt>.size)
        return numbers.withUnsafeMutableBytes { sf_command(handle, CInt(command), $0.baseAddress, byteCount) } == SF_TRUE
    }

    /// Sends a command with a flag.
    func set(_ command: Int, _ isOn: Bool) {
        if let handle { sf_command(handle, CInt(command), nil, isOn ? 1 : 0) }
    }

    /// Sends a command with a number.
    func set(_ command: Int, _ value: Double) {
        var value = value
        if let handle { sf_command(handle, CInt(command), &value, CInt(MemoryLayout<Double>.size)) }
    }

    /// libsndfile's text for the last error of the handle; nil if there was none.
    var problem: String? {
        guard let handle, sf_error(handle) != 0 else { return nil }
        return Self.words(of: handle)
    }

    private static func words(of handle: OpaquePointer?) -> String {
        var words = String(cString: sf_strerror(handle))
        while words.last == "." || words.last == " " { words.removeLast() }
        return words
    }
}
