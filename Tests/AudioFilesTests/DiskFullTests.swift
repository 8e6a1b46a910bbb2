// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Writing to a full disk, or beyond the limit on a file's size, ends in a sentence and leaves no file. Test thread.

import Glibc
import TestSupport
import Testing

@testable import AudioFiles

/// Each case runs in a process of its own, since limits and mounts belong to processes.
@Suite struct DiskFullTests {
    @Test func theLimitOnTheSizeOfAFileIsASentenceAndLeavesNothing() async {
        await #expect(processExitsWith: .success) {
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            for name in OutputFormat.knownExtensions {
                expectFailure("a." + name) { if case .sizeLimit(_, 1...100_000) = $0 { true } else { false } }
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
    func aFullDiskIsASentenceAndLeavesNothing() async {
        await #expect(processExitsWith: .success) {
            let folder = ScratchFolder()
            guard leaveSharedMounts() == 0, mount(nil, "/", nil, UInt(MS_REC) | UInt(MS_PRIVATE), nil) == 0,
                mount("none", folder.path, "tmpfs", 0, "size=128k") == 0
            else { return print("skipped: no mounting here") }
            for name in OutputFormat.knownExtensions {
                expectFailure("a." + name, folder) {
                    if case .diskFull(_, 1...131_072, _) = $0 { true } else { false }
                }
            }
            umount(folder.path)
        }
    }
}

/// `unshare(CLONE_NEWNS)`, which Glibc's module lacks: from here on, this thread's mounts are its own.
private func leaveSharedMounts() -> CInt {
    guard let symbol = dlsym(nil, "unshare") else { return -1 }
    return unsafeBitCast(symbol, to: (@convention(c) (CInt) -> CInt).self)(0x20000)
}

/// Writes noise until it fails, and expects the right error and an empty folder.
private func expectFailure(
    _ name: String, _ folder: ScratchFolder = ScratchFolder(), _ isRight: (AudioFileError) -> Bool
) {
    for avoidsNameless in [false, true] {
        let audio = Signals.noise(seed: 6, channelCount: 2, frameCount: 48_000)
        do {
            let writer = try AudioFileWriter(
                path: folder.file(name), sampleRate: 48_000, channelCount: 2, avoidsNameless: avoidsNameless)
            for _ in 0..<20 { try writer.write(audio.channels, frameCount: audio.frameCount) }
            try writer.finish()
            preconditionFailure("\(name) was written")
        } catch {
            print(error)
            precondition(isRight(error), "\(error)")
        }
        precondition(folder.names.isEmpty, "\(folder.names)")
    }
}
