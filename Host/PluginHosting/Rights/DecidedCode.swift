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
///
/// Each code at a path has a number. A process and a right keep the number of their code, so that a later decision about other code
/// at the same path gives that code nothing of theirs.
final class DecidedCode: Sendable {
    static let shared = DecidedCode()

    private struct Code {
        var stamp: String
        /// The digest of its contents; nil until somebody has read them.
        var digest: String?
        let number: Int
    }

    /// The code of libraries and folders, by their paths, and the last number.
    private let codes = Mutex<(known: [ExactPath: Code], count: Int)>(([:], 0))

    /// Takes this code as the one that the user means by the path.
    func decide(_ path: String, stamp: String, digest: String) {
        codes.withLock { codes in
            let former = codes.known[ExactPath(path)].flatMap { $0.stamp == stamp || $0.digest == digest ? $0 : nil }
            if former == nil { codes.count += 1 }
            codes.known[ExactPath(path)] = Code(stamp: stamp, digest: digest, number: former?.number ?? codes.count)
        }
    }

    /// Reads code of which a unit plays; nil unless it is the code that the user means.
    func learn(_ path: String) -> PluginCode? {
        // The stamp first: other code is not read.
        guard let known = codes.withLock({ $0.known[ExactPath(path)] }),
            (try? CodeDigest.reading(path, .stamp, mayLeadOut: true))?.stamp == known.stamp,
            let code = try? PluginCode(at: path), code.stamp == known.stamp
        else { return nil }
        codes.withLock { codes in
            if codes.known[ExactPath(path)]?.number == known.number { codes.known[ExactPath(path)]?.digest = code.digest }
        }
        return code
    }

    /// The number of the code that the user means by a path; nil without one.
    func number(of path: String) -> Int? { codes.withLock { $0.known[ExactPath(path)]?.number } }

    /// Takes the present code at a path as the one that the user means, if none was taken before; returns its number.
    @discardableResult
    func meet(_ path: String) -> Int? {
        if let number = number(of: path) { return number }
        // Code that cannot be looked at gets no rights later.
        guard let stamp = try? CodeDigest.reading(path, .stamp, mayLeadOut: true).stamp else { return nil }
        return codes.withLock { codes in
            if let known = codes.known[ExactPath(path)] { return known.number }
            codes.count += 1
            codes.known[ExactPath(path)] = Code(stamp: stamp, number: codes.count)
            return codes.count
        }
    }

    /// The present code of plug-ins that are about to start with rights.
    ///
    /// `numbers` are those of the code that has the rights, by the plug-ins' paths; nil for the code that the user means now. Throws
    /// `codeChanged` if a plug-in is not that code.
    func check(_ components: [Component], numbered numbers: [ExactPath: Int]? = nil) throws(HostingError) -> [HeldCode] {
        var codes: [HeldCode] = []
        for component in components where !codes.contains(where: { ExactPath($0.home) == ExactPath(component.home) }) {
            meet(component.home)
            let number = numbers.map { $0[ExactPath(component.home)] } ?? number(of: component.home)
            codes += try check(component, number)
        }
        return codes
    }

    private func check(_ component: Component, _ number: Int?) throws(HostingError) -> [HeldCode] {
        let home = component.home
        let decided = codes.withLock { $0.known[ExactPath(home)] }
        // Code that cannot be read is not the same.
        if let decided, decided.number == number, let present = try? CodeDigest.reading(home, .stamp, mayLeadOut: true) {
            if present.stamp == decided.stamp { return present.held }
            if let same = restamped(home, decided.digest) { return same.held }
        }
        throw .codeChanged(unit: component.name, path: home)
    }

    /// The code at a path if it has another stamp and the same contents, as after a backup by hard links; nil otherwise.
    private func restamped(_ home: String, _ digest: String?) -> CodeReading? {
        guard let digest, let read = try? CodeDigest.reading(home, .contents), read.digest == digest else { return nil }
        // The stamp of the files that were read, and of no others that had their names a moment ago.
        decide(home, stamp: read.stamp, digest: digest)
        return read
    }
}
