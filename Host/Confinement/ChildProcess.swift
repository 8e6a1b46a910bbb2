// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// A process that this one started: spawned, watched through a pidfd, signalled and reaped. Control thread.

import CConfinementShims
import CLinuxShims
import Glibc
import LinuxSystem
import Synchronization

/// How a process ended.
public enum ProcessEnd: Hashable, Sendable {
    case exited(code: Int32)
    case signalled(signal: Int32)
}

/// A child, the leader of a process group. Dropping it kills and reaps the process.
///
/// Whatever it has started goes with it, however it ends. Of an unconfined one, or where the kernel makes no PID namespace,
/// what has left its group does not.
public final class ChildProcess: Sendable {
    public let identifier: pid_t
    /// Readable once the process has ended.
    public let pidfd: Int32
    /// The first process of its PID namespace, or one of its group: ends everything in there when this process has gone.
    private let keeper: Keeper?
    /// Its temporary files, where they are among everybody's.
    private let folder: PrivateFolder?
    /// How it ended, once it has been reaped; whoever reaps it holds the lock.
    private let end = Mutex<ProcessEnd?>(nil)
    /// What it was to be confined by, and is not.
    public let gaps: [ConfinementGap]

    /// What has a child's threads switched to sooner: the C library registers each of them for restartable sequences, which nothing
    /// here uses, and then the kernel has work at every switch. Of a hand-off in a chain that is one part in twenty.
    public static let quickSwitches = (name: "GLIBC_TUNABLES", value: "glibc.pthread.rseq=0")

    /// Starts a program with `control` as its descriptor 3, `lent` as 4 if there is one, and nothing else open but 0, 1 and
    /// 2: it reads nothing, and all that it prints goes to this process's standard error, or to nowhere for one that is quiet.
    ///
    /// It is confined before its first byte runs, as far as this machine offers that; without a confinement not at all. A
    /// confined one is told in `TMPDIR` where its temporary files belong.
    public init(
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
        var environmentPointers: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argumentPointers + environmentPointers).forEach { free($0) } }
        guard let confinement, let prepared else {
            let child = CConfinementShims_spawn(
                path, &argumentPointers, &environmentPointers, control.descriptor, lent, isQuiet ? 1 : 0)
            identifier = try SystemError.check(child, act)
            keeper = nil
            gaps = []
            pidfd = try Self.pidfd(of: identifier, keptBy: nil, act)
            return
        }
        var confined = CConfinementShims_Confined()
        keeper = try prepared.with { (prepared, lifeline) throws(SystemError) in
            let result = CConfinementShims_spawnConfined(
                path, &argumentPointers, &environmentPointers, control.descriptor, lent, isQuiet ? 1 : 0, prepared, &confined)
            let step = confined.failedStep.map { " and \(String(cString: $0))" } ?? ""
            try SystemError.check(result, act + step)
            return lifeline < 0 ? nil : Keeper(identifier: confined.keeper, lifeline: Descriptor(owning: lifeline))
        }
        identifier = confined.process
        let lacksProcesses = confinement.hasOwnProcesses && confined.hasProcesses == 0
        gaps = offer.gaps + (lacksProcesses ? [.ownProcessFolder] : [])
        pidfd = try Self.pidfd(of: identifier, keptBy: keeper, act)
    }

    /// Where there is none to be had nothing that has been started stays.
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

    /// From now on whoever of this process's descendants loses its parent becomes this process's own child.
    public static func adoptOrphans() { CConfinementShims_adoptOrphans() }

    deinit {
        _ = kill()
        close(pidfd)
    }

    /// Sends a signal; nothing happens when the process has ended.
    public func send(signal: Int32) { _ = CLinuxShims_pidfdSendSignal(pidfd, signal) }

    /// How it ended, or nil while it runs. Reaps it.
    public func poll() -> ProcessEnd? { reap(flags: WNOHANG) }

    /// Kills it, if it still runs, and waits until it is gone.
    public func kill() -> ProcessEnd {
        if let end = reap(flags: WNOHANG) { return end }
        send(signal: SIGKILL)
        return reap(flags: 0) ?? .signalled(signal: SIGKILL)
    }

    /// Waits up to `milliseconds` for it to end by itself.
    public func wait(milliseconds: Int32) -> ProcessEnd? {
        var poll = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
        _ = Glibc.poll(&poll, 1, milliseconds)
        return reap(flags: WNOHANG)
    }

    /// Puts it away once it has ended, and what it has started and left in its group along with it.
    private func reap(flags: Int32) -> ProcessEnd? {
        end.withLock { end in
            if let end { return end }
            switch state(flags: flags) {
            case .running: return nil
            // How it ended nobody can tell, nor whose its number is by now. What it has started ends with its keeper.
            case .gone: end = .signalled(signal: SIGKILL)
            case .ended: end = putAway()
            }
            return end
        }
    }

    private func putAway() -> ProcessEnd? {
        // Until it is reaped its number is its own, and so is the group's, which it has led since before it became
        // the program: nobody else can be meant.
        Glibc.kill(-identifier, SIGKILL)
        keeper?.end()
        var status: Int32 = 0
        guard Self.repeating({ waitpid(identifier, &status, 0) }) == identifier else { return nil }
        // A keeper ends once everybody in its namespace has been put away, this process too.
        keeper?.reap()
        return status & 0x7F == 0 ? .exited(code: status >> 8 & 0xFF) : .signalled(signal: status & 0x7F)
    }

    private enum State {
        case running
        /// It waits to be reaped.
        case ended
        /// It has been reaped: by the kernel, where this process ignores SIGCHLD, or by other code of this process.
        case gone
    }

    /// Without WNOHANG this waits until it does not run.
    private func state(flags: Int32) -> State {
        var information = siginfo_t()
        let result = Self.repeating { waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT | flags) }
        if result < 0 { return errno == ECHILD ? .gone : .running }
        // What has not ended leaves the record as it was.
        return information.si_signo == SIGCHLD ? .ended : .running
    }

    private static func repeating(_ call: () -> Int32) -> Int32 {
        while true {
            let result = call()
            guard result < 0, errno == EINTR else { return result }
        }
    }
}
