// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The file of an error, and the attempted act. Any thread.

import Glibc

extension AudioFileError {
    /// `[any]` The file, as the caller named it.
    public var path: String {
        switch self {
        case .missing(let path), .folderMissing(let path), .isDirectory(let path, _), .notRegular(let path, _),
            .noPermission(let path, _), .readOnlyFileSystem(let path), .empty(let path), .noFrames(let path), .notAudio(let path),
            .unsupportedEncoding(let path, _), .damaged(let path, _), .truncatedBytes(let path, _, _),
            .truncatedFrames(let path, _, _), .channelCount(let path, _, _), .sampleRate(let path, _, _),
            .seekOutside(let path, _, _), .notEnoughMemory(let path, _), .resampling(let path, _, _, _),
            .unknownExtension(let path, _), .encoderRefuses(let path, _, _, _), .diskFull(let path, _, _),
            .sizeLimit(let path, _), .formatLimit(let path, _), .alreadyFinished(let path), .notOpen(let path, _),
            .channelMismatch(let path, _, _, _), .system(let path, _, _):
            path
        case .notKept(let failure, _): failure.path
        }
    }

    /// `[any]` True if the failed act was reading or writing.
    public var act: Act {
        switch self {
        case .isDirectory(_, let act), .notRegular(_, let act), .noPermission(_, let act), .channelCount(_, _, let act),
            .sampleRate(_, _, let act), .notOpen(_, let act), .channelMismatch(_, _, _, let act), .system(_, let act, _):
            act
        case .folderMissing, .readOnlyFileSystem, .unknownExtension, .encoderRefuses, .diskFull, .sizeLimit, .formatLimit,
            .alreadyFinished, .notKept:
            .write
        default: .read
        }
    }

    /// `[any]` The error for an `errno` of an attempt to open a file.
    static func opening(_ path: String, act: Act, code: CInt) -> AudioFileError {
        switch code {
        // Some folders, such as those of /proc, refuse new files with ENOENT.
        case ENOENT where act == .write && access(Path.folder(of: path), F_OK) == 0: .noPermission(path: path, act: act)
        case ENOENT where act == .write: .folderMissing(path: path)
        case ENOENT, ENOTDIR: .missing(path: path)
        case EISDIR: .isDirectory(path: path, act: act)
        case EROFS: .readOnlyFileSystem(path: path)
        case EACCES, EPERM: .noPermission(path: path, act: act)
        case ENXIO: .notRegular(path: path, act: act)
        case ENOSPC, EDQUOT: .diskFull(path: path, written: 0, wanted: 0)
        default: .system(path: path, act: act, code: code)
        }
    }

    /// `[any]` The error for an `errno` of a write.
    static func writing(_ path: String, _ failure: SoundFileIO.Failure) -> AudioFileError {
        switch failure.code {
        case ENOSPC, EDQUOT:
            .diskFull(path: path, written: failure.byteOffset, wanted: failure.wantedByteOffset)
        case EFBIG: .sizeLimit(path: path, written: failure.byteOffset)
        case EROFS: .readOnlyFileSystem(path: path)
        case EACCES, EPERM: .noPermission(path: path, act: .write)
        default: .system(path: path, act: .write, code: failure.code)
        }
    }
}
