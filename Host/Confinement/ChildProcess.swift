// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A process that this one has started: spawned, watched through a pidfd, signalled and reaped. Control thread.

import CConfinementShims
import CLinuxShims
import Glibc
import LinuxSystem
import Synchronization

/// `[any]` The end of a process.
package enum ProcessEnd: Hashable, Sendable {
    /// It returned from `main` or called `exit`.
    case exited(code: Int32)
    /// A signal ended it.
    case signalled(signal: Int32)
}

/// `[control]` A child process, the leader of a process group.
///
/// The release of the object kills and reaps the process. All processes that it has started end with it, with one exception. A descendant
/// that left the group survives if the process is unconfined, or if the kernel makes no PID namespace.
package final class ChildProcess: Sendable {
    /// The number of the process.
    package let identifier: pid_t
    /// Readable once the process has ended.
    package let pidfd: Int32
    /// The first process of its PID namespace, or a member of its group.
    ///
    /// It ends all of them once this process has ended.
    private let keeper: Keeper?
    /// Its temporary files, if they share a folder with the files of other processes.
    private let folder: PrivateFolder?
    /// Its control group, if there is one.
    private let group: ControlGroup?
    /// The end of the process, once it has been reaped.
    ///
    /// The reaping thread holds the lock.
    private let end = Mutex<ProcessEnd?>(nil)
    /// The output on its descriptors 1 and 2; nil if that goes to /dev/null.
    package let output: OutputSocket?
    /// The parts of its confinement that are missing.
    package let gaps: [ConfinementGap]

    /// An environment variable of the child that speeds up switches to its threads.
    ///
    /// By default the C library registers each thread for restartable sequences. Nothing here uses them, but the kernel then
    /// has work at every switch: one twentieth of a hand-off in a chain.
    package static let quickSwitches = (name: "GLIBC_TUNABLES", value: "glibc.pthread.rseq=0")

    /// Starts a program with a control socket and as few other descriptors as possible.
    ///
    /// `control` becomes descriptor 3, and `lent` becomes descriptor 4 if it is not negative. Besides, only 0, 1 and 2 are
    /// open. Descriptor 0 is empty. Descriptors 1 and 2 are a socket whose other end is `output`, or /dev/null with `isQuiet`.
    /// So a child can neither reach nor query this process's own terminal, files and pipes.
    ///
    /// The confinement holds before the program's first byte runs, as far as this machine supports it. Without `confinement`
    /// the program is unconfined. A confined program finds the folder for its temporary files in `TMPDIR`.
    ///
    /// Throws the system's error and the step that failed.
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
        // The child's end closes here, so that this process reads the end of the output once no child holds it.
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

    /// Opens the pidfd of a new process; if that fails, ends the process and its keeper.
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

    /// Makes this process the parent of its orphaned descendants.
    package static func adoptOrphans() { CConfinementShims_adoptOrphans() }

    deinit {
        _ = kill()
        close(pidfd)
    }

    /// Lowers the priority of the process, and limits its memory if it is not confined.
    package func limit(memory byteCount: UInt64 = 0, niceness: Int32) throws(SystemError) {
        _ = try SystemError.check(CLinuxShims_limitProcess(identifier, byteCount, niceness), "limit process \(identifier)")
    }

    /// Sends a signal; does nothing after the end of the process.
    package func send(signal: Int32) { _ = CLinuxShims_pidfdSendSignal(pidfd, signal) }

    /// Returns the end of the process, or nil while it runs.
    ///
    /// An ended process is reaped.
    package func poll() -> ProcessEnd? { reap(flags: WNOHANG) }

    /// Kills the process if it still runs, and waits until it has ended.
    package func kill() -> ProcessEnd {
        if let end = reap(flags: WNOHANG) { return end }
        send(signal: SIGKILL)
        return reap(flags: 0) ?? .signalled(signal: SIGKILL)
    }

    /// Waits up to `milliseconds` for the end of the process; nil if it still runs then.
    package func wait(milliseconds: Int32) -> ProcessEnd? {
        Descriptor.awaitAny([pidfd], nanoseconds: milliseconds < 0 ? nil : UInt64(milliseconds) * 1_000_000)
        return reap(flags: WNOHANG)
    }

    /// Reaps the process after its end, and ends its descendants: its group, and its keeper's namespace.
    private func reap(flags: Int32) -> ProcessEnd? {
        end.withLock { end in
            if let end { return end }
            switch state(flags: flags) {
            case .running: return nil
            // The cause of the end is unknown, and another process may have its number now. Its keeper ends its descendants.
            case .gone: end = .signalled(signal: SIGKILL)
            case .ended: end = putAway()
            }
            return end
        }
    }

    private func putAway() -> ProcessEnd? {
        // Until it is reaped, it keeps its own number and that of its group: it has led the group since before it became the
        // program. So the signal cannot reach another process.
        Glibc.kill(-identifier, SIGKILL)
        keeper?.end()
        var status: Int32 = 0
        guard Self.repeating({ waitpid(identifier, &status, 0) }) == identifier else { return nil }
        // A keeper ends once every process of its namespace has been reaped, including this one.
        keeper?.reap()
        return status & 0x7F == 0 ? .exited(code: status >> 8 & 0xFF) : .signalled(signal: status & 0x7F)
    }

    private enum State {
        case running
        /// It has ended and has not been reaped yet.
        case ended
        /// It has been reaped: by the kernel, if this process ignores SIGCHLD, or by other code of this process.
        case gone
    }

    /// Without WNOHANG this waits until the process has ended.
    private func state(flags: Int32) -> State {
        var information = siginfo_t()
        let result = Self.repeating { waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT | flags) }
        if result < 0 { return errno == ECHILD ? .gone : .running }
        // While the process runs, the kernel does not change the record.
        return information.si_signo == SIGCHLD ? .ended : .running
    }

    private static func repeating(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            guard result < 0, errno == EINTR else { return result }
        }
    }
}
