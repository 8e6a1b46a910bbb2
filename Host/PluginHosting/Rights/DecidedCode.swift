// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The code that may have rights in this host, and the check right before each start. Control threads.

import Confinement
import LinuxSystem
import Synchronization

/// The code of each plug-in of which this host has started a unit, or about which the user has decided since.
///
/// A command looks at rights when it begins, and a host may start units for days: after a death, in a scene, in `undo`. A plug-in
/// that was replaced meanwhile must not have rights that the user gave to the former one.
final class DecidedCode: Sendable {
    static let shared = DecidedCode()

    private struct Code {
        var stamp: String
        /// The digest of its contents; nil until somebody has read them.
        var digest: String?
    }

    /// The code of libraries and folders, by their paths.
    private let codes = Mutex<[ExactPath: Code]>([:])

    /// Takes this code as the one that the user means by the path.
    func decide(_ path: String, stamp: String, digest: String) {
        codes.withLock { $0[ExactPath(path)] = Code(stamp: stamp, digest: digest) }
    }

    /// Notes the digest of code that is known by its stamp; false if it is not the code that the user means.
    func learn(_ code: PluginCode) -> Bool {
        codes.withLock { codes in
            guard codes[ExactPath(code.path)]?.stamp == code.stamp else { return false }
            codes[ExactPath(code.path)]?.digest = code.digest
            return true
        }
    }

    /// Takes the present code at a path as the one that the user means, if none was taken before.
    func meet(_ path: String) {
        guard codes.withLock({ $0[ExactPath(path)] == nil }) else { return }
        // Code that cannot be looked at gets no rights later.
        guard let stamp = try? CodeDigest.reading(path, .stamp, mayLeadOut: true).digest else { return }
        codes.withLock { codes in codes[ExactPath(path)] = codes[ExactPath(path)] ?? Code(stamp: stamp) }
    }

    /// The present code of plug-ins that are about to start with rights.
    ///
    /// Throws `codeChanged` if one of them is not the code that the user means.
    func check(_ components: [Component]) throws(HostingError) -> [HeldCode] {
        var codes: [HeldCode] = []
        for component in components where !codes.contains(where: { ExactPath($0.home) == ExactPath(component.home) }) {
            codes.append(try check(component))
        }
        return codes
    }

    private func check(_ component: Component) throws(HostingError) -> HeldCode {
        let home = component.home
        meet(home)
        let decided = codes.withLock { $0[ExactPath(home)] }
        // Code that cannot be read is not the same.
        if let decided, let present = try? CodeDigest.reading(home, .stamp, mayLeadOut: true) {
            if present.digest == decided.stamp { return present.code }
            if let same = restamped(home, decided.digest, present.digest) { return same }
        }
        throw .codeChanged(unit: component.name, path: home)
    }

    /// The code at a path if it has another stamp and the same contents, as after a backup by hard links; nil otherwise.
    private func restamped(_ home: String, _ digest: String?, _ stamp: String) -> HeldCode? {
        guard let digest, let read = try? CodeDigest.reading(home, .contents), read.digest == digest else { return nil }
        decide(home, stamp: stamp, digest: digest)
        return read.code
    }
}
