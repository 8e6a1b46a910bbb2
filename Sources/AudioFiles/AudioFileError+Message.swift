// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The sentence that shows each file error. Any thread.

extension AudioFileError: CustomStringConvertible {
    /// One sentence for the user; control characters in file names are made visible.
    public var description: String {
        "Couldn't \(act.rawValue) \(Wording.quoted(path)): \(reason)."
    }

    private var reason: String {
        placeReason ?? contentReason ?? limitReason ?? writingReason ?? "unknown error"
    }

    private var placeReason: String? {
        switch self {
        case .missing: "there is no such file; check its name and folder"
        case .folderMissing(let path):
            "the folder \(Wording.quoted(Path.folder(of: path))) doesn't exist; create it first"
        case .isDirectory: "it is a folder; name a file in it"
        case .notRegular: "it is a device, pipe or socket; name an ordinary file"
        case .noPermission(_, .read): "permission denied; give yourself read access to it"
        case .noPermission(_, .write): "permission denied; give yourself write access to it and its folder"
        case .readOnlyFileSystem: "its file system is read-only; choose a folder on another one"
        case .system(_, _, let code): "\(Wording.systemReason(code)); check the disk and try again"
        default: nil
        }
    }

    private var contentReason: String? {
        switch self {
        case .empty: "it is empty (0 bytes); record or copy it again"
        case .noFrames: "it holds no audio (0 frames); record or export it again"
        case .notAudio: "it isn't an audio file of a known kind; convert it to WAV or FLAC"
        case .unsupportedEncoding(_, let why): "its encoding isn't supported (\(why)); convert it to WAV or FLAC"
        case .damaged(_, let why): "it is damaged (\(why)); copy or export it again"
        case .truncatedBytes(_, let promised, let present):
            "it is cut short, with \(present) of \(promised) bytes of audio present; copy it again"
        case .truncatedFrames(_, let promised, let present):
            "it is cut short or damaged, with \(present) of \(promised) frames present; copy it again"
        default: nil
        }
    }

    private var limitReason: String? {
        switch self {
        case .channelCount(_, let count, _):
            "it \(act == .read ? "has" : "would have") \(count) channels, and \(AudioFileFormat.channelCounts.wording) are supported; "
                + "mix it down or split it"
        case .sampleRate(_, let hertz, _):
            "its sample rate \(act == .read ? "is" : "would be") \(Wording.number(hertz)) Hz, and 8000 to 768000 Hz are supported; "
                + "\(act == .read ? "convert it to" : "choose") a rate in between"
        case .seekOutside(_, let frame, let count):
            "frame \(frame) is outside its \(count) frames; choose 0 to \(count)"
        case .notEnoughMemory(_, let byteCount):
            "it needs \(Wording.bytes(byteCount)) of memory, more than there is; split the file or stream it"
        case .resampling(_, let from, let to, let why):
            "converting \(Wording.number(from)) Hz to \(Wording.number(to)) Hz failed (\(why)); "
                + "choose a sample rate nearer the file's"
        default: nil
        }
    }

    private var writingReason: String? {
        switch self {
        case .unknownExtension(_, let known):
            "its name must end in one of \(known.map { "." + $0 }.joined(separator: " "))"
        case .encoderRefuses(_, let channels, let hertz, let why):
            "the format can't hold \(channels) channels at \(Wording.number(hertz)) Hz (\(why)); "
                + "use .wav or another rate"
        case .diskFull(_, let written, let wanted):
            "the disk is full after \(written) bytes (\(wanted) were to be written); free some space or use another disk"
        case .sizeLimit(_, let written):
            "the system's limit on the size of a file stopped it after \(written) bytes; raise it with ulimit -f"
        case .formatLimit(_, let limit):
            "the format ends at \(limit) bytes; use .wav, .w64 or .caf, which don't"
        case .notOpen(_, let act): "it is not open to be \(act == .read ? "read" : "written"); open it for that"
        case .channelMismatch(_, let count, let wanted, _):
            "it has \(wanted) channels, and the buffer has \(count); use a buffer of the file's processing format"
        case .notKept(let failure, let error):
            "\(failure.reason). What had been written before couldn't be kept: \(error.reason)"
        case .alreadyFinished: "it was finished or cancelled before; start a new file"
        default: nil
        }
    }
}
