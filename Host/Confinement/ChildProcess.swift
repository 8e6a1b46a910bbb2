// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A process that this one started: spawned, watched through a pidfd, signalled and reaped. Control thread.

import CConfinementShims
import CLinuxShims
import Glibc
import LinuxSystem
import Synchronization

/// `[any]` How a process ended.
package enum ProcessEnd: Hashable, Sendable {
    /// It returned from `main` or called `exit`.
    case exited(code: Int32)
    /// A signal ended it.
    case signalled(signal: Int32)
}

/// `[control]` A child process, the leader of a process group.
///
/// Dropping the object kills and reaps the process. Everything that the process started ends with it, however it ends. There is
/// one exception: a descendant that left the group survives when the process is unconfined, or when the kernel makes no PID
/// namespace.
package final class ChildProcess: Sendable {
    /// The number of the process.
    package let identifier: pid_t
    /// Readable once the process has ended.
    package let pidfd: Int32
    /// The first process of its PID namespace, or a member of its group.
    ///
    /// It ends them all once this process has ended.
    private let keeper: Keeper?
    /// Its temporary files, where they share a folder with the files of other processes.
    private let folder: PrivateFolder?
    /// Its control group, where there is one.
    private let group: ControlGroup?
    /// How it ended, once it has been reaped.
    ///
    /// The thread that reaps it holds the lock.
    private let end = Mutex<ProcessEnd?>(nil)
    /// What it writes to its descriptors 1 and 2; nil if that goes to /dev/null.
    package let output: OutputSocket?
    /// The parts of its confinement that are missing.
    package let gaps: [ConfinementGap]

    /// A variable of the child's environment that makes the switch to its threads faster.
    ///
    /// By default the C library registers each thread for restartable sequences. Nothing here uses them, and the kernel then has
    /// work at every switch: one part in twenty of a hand-off in a chain.
    package static let quickSwitches = (name: "GLIBC_TUNABLES", value: "glibc.pthread.rseq=0")

    /// Starts a program with a control socket and as few other descriptors as possible.
    ///
    /// `control` becomes descriptor 3, and `lent` becomes descriptor 4 if it is not negative. Only 0, 1 and 2 are open besides.
    /// Reading 0 yields nothing. 1 and 2 are a socket whose other end is `output`, or /dev/null with `isQuiet`. So a child can
    /// neither reach nor ask about this process's own terminal, files and pipes.
    ///
    /// The confinement holds before the program's first byte runs, as far as this machine offers it. Without `confinement` the
    /// program is unconfined. A confined program finds the folder for its temporary files in `TMPDIR`.
    ///
    /// It throws the system's error and the step that failed.
    package init(
        path: String, arguments: [String], environment: [String: String], control: ControlSocket, lending lent: Int32 = -1,
        isQuiet: Bool = false, confinement: Confinement? = nil, offer: ConfinementOffer = .current
    ) throws(SystemError) {
        let act = "start \"\(path)\""
        var argumentPointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
        let prepared = try confinement.map { (confinement) throws(SystemError) in try PreparedConfinement(confinement, offer: offer)
        }
        var environment = environment
        if let prepared { environment["TMPDIR"] = prepared.temporaryFolder }
        folder = prepared?.privateFolder
        group = prepared?.group
        let outputs = isQuiet ? nil : try OutputSocket.pair()
        output = outputs?.own
        // The child's end closes here at the end, so that this process reads the end once no child holds it.
        defer { withExtendedLifetime(outputs) {} }
        let printed = outputs?.childs.descriptor ?? -1
        var environmentPointers: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argumentPointers + environmentPointers).forEach { free($0) } }
        guard let confinement, let prepared else {
            let child = CConfinementShims_spawn(
                path, &argumentPointers, &environmentPointers, control.descriptor, lent, printed)
            identifier = try SystemError.check(child, act)
            keeper = nil
            gaps = []
            pidfd = try Self.pidfd(of: identifier, keptBy: nil, act)
            return
        }
        var confined = CConfinementShims_Confined()
        keeper = try prepared.with { (prepared, lifeline) throws(SystemError) in
            let result = CConfinementShims_spawnConfined(
                path, &argumentPointers, &environmentPointers, control.descriptor, lent, printed, prepared, &confined)
            let step = confined.failedStep.map { " and \(String(cString: $0))" } ?? ""
            try SystemError.check(result, act + step)
            return lifeline < 0 ? nil : Keeper(identifier: confined.keeper, lifeline: Descriptor(owning: lifeline))
        }
        identifier = confined.process
        let lacksProcesses = confinement.hasOwnProcesses && confined.hasProcesses == 0
        gaps = offer.gaps + (lacksProcesses ? [.ownProcessFolder] : [])
        pidfd = try Self.pidfd(of: identifier, keptBy: keeper, act)
    }

    /// Opens the pidfd of a new process, and ends the process and its keeper where that fails.
    private static func pidfd(of process: pid_t, keptBy keeper: Keeper?, _ act: String) throws(SystemError) -> Int32 {
        let pidfd = CLinuxShims_pidfdOpen(process)
        if pidfd < 0 {
            Glibc.kill(process, SIGKILL)
            Glibc.kill(-process, SIGKILL)
            keeper?.end()
            _ = repeating { waitpid(process, nil, 0) }
            keeper?.reap()
        }
        return try SystemError.check(pidfd, act)
    }

    /// Makes this process the parent of its descendants whose own parents end.
    package static func adoptOrphans() { CConfinementShims_adoptOrphans() }

    deinit {
        _ = kill()
        close(pidfd)
    }

    /// Gives the process less of a processor than others have, and limits the memory of one that is not confined.
    package func limit(memory byteCount: UInt64 = 0, niceness: Int32) throws(SystemError) {
        _ = try SystemError.check(CLinuxShims_limitProcess(identifier, byteCount, niceness), "limit process \(identifier)")
    }

    /// Sends a signal; nothing happens when the process has ended.
    package func send(signal: Int32) { _ = CLinuxShims_pidfdSendSignal(pidfd, signal) }

    /// Returns how the process ended, or nil while it runs.
    ///
    /// An ended process is reaped.
    package func poll() -> ProcessEnd? { reap(flags: WNOHANG) }

    /// Kills the process if it still runs, and waits until it has ended.
    package func kill() -> ProcessEnd {
        if let end = reap(flags: WNOHANG) { return end }
        send(signal: SIGKILL)
        return reap(flags: 0) ?? .signalled(signal: SIGKILL)
    }

    /// Waits up to `milliseconds` for the process to end by itself, and returns nil if it still runs then.
    package func wait(milliseconds: Int32) -> ProcessEnd? {
        Descriptor.awaitAny([pidfd], nanoseconds: milliseconds < 0 ? nil : UInt64(milliseconds) * 1_000_000)
        return reap(flags: WNOHANG)
    }

    /// Reaps the process once it has ended, and ends what it started: its group, and its keeper's namespace.
    private func reap(flags: Int32) -> ProcessEnd? {
        end.withLock { end in
            if let end { return end }
            switch state(flags: flags) {
            case .running: return nil
            // How it ended is unknown, and its number may belong to another process now. Its keeper ends what it started.
            case .gone: end = .signalled(signal: SIGKILL)
            case .ended: end = putAway()
            }
            return end
        }
    }

    private func putAway() -> ProcessEnd? {
        // Until it is reaped, its number and the number of its group belong to it: it has led the group since before it became
        // the program. So the signal can reach no other process.
        Glibc.kill(-identifier, SIGKILL)
        keeper?.end()
        var status: Int32 = 0
        guard Self.repeating({ waitpid(identifier, &status, 0) }) == identifier else { return nil }
        // A keeper ends once every process of its namespace has been reaped, this one included.
        keeper?.reap()
        return status & 0x7F == 0 ? .exited(code: status >> 8 & 0xFF) : .signalled(signal: status & 0x7F)
    }

    private enum State {
        case running
        /// It ended and has not been reaped yet.
        case ended
        /// It has been reaped: by the kernel, if this process ignores SIGCHLD, or by other code of this process.
        case gone
    }

    /// Without WNOHANG this waits until the process has ended.
    private func state(flags: Int32) -> State {
        var information = siginfo_t()
        let result = Self.repeating { waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT | flags) }
        if result < 0 { return errno == ECHILD ? .gone : .running }
        // The kernel leaves the record as it was while the process runs.
        return information.si_signo == SIGCHLD ? .ended : .running
    }

    private static func repeating(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            guard result < 0, errno == EINTR else { return result }
        }
    }
}
