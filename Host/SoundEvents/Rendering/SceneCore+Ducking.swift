// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The duckers of a scene: switched on, steered by the sounds of their sources, and dropped. Render thread.

extension SceneCore {
    /// Steers the duckers at a frame; returns the frame of the next change.
    @_noLocks
    func duck(at frame: Int64, before end: Int64) -> Int64 {
        guard frame < end else { return end }
        var (ducker, next) = (firstDucker, end)
        while let present = ducker {
            let until = present.pointee.isActive ? soundingUntil(frame, end, present) : frame
            present.pointee.steer(until > frame, at: frame)
            if until > frame { next = min(next, until) } else { next = min(next, beginning(after: frame, end, present)) }
            ducker = present.pointee.next
        }
        return next
    }

    /// The frame up to which sources of a ducker sound without a gap; the first frame itself if none sounds there.
    @_noLocks
    private func soundingUntil(_ frame: Int64, _ end: Int64, _ ducker: UnsafeMutablePointer<DuckerCore>) -> Int64 {
        var (until, isLonger) = (frame, true)
        while isLonger, until < end {
            isLonger = false
            for index in 0..<eventCount {
                guard let extent = events[index].pointee.extent(from: frame, to: end), extent.first <= until else { continue }
                let last = events[index].pointee.end(of: ducker, extent.first, extent.last)
                if last > until { (until, isLonger) = (last, true) }
            }
        }
        return until
    }

    /// The frame at which the next source of a ducker begins.
    @_noLocks
    private func beginning(after frame: Int64, _ end: Int64, _ ducker: UnsafeMutablePointer<DuckerCore>) -> Int64 {
        guard ducker.pointee.isActive else { return end }
        var next = end
        for index in 0..<eventCount {
            guard let extent = events[index].pointee.extent(from: frame, to: end), extent.first > frame else { continue }
            if events[index].pointee.end(of: ducker, extent.first, extent.last) > extent.first { next = min(next, extent.first) }
        }
        return next
    }

    /// Switches a ducker on or off.
    @_noLocks
    mutating func turn(_ ducker: UnsafeMutablePointer<DuckerCore>, _ isActive: Bool) {
        ducker.pointee.isActive = isActive
        guard isActive, !ducker.pointee.isListed else { return }
        ducker.pointee.next = firstDucker
        firstDucker = ducker
        ducker.pointee.link()
    }

    @_noLocks
    mutating func drop(_ ducker: UnsafeMutablePointer<DuckerCore>) {
        (ducker.pointee.isActive, ducker.pointee.isDropped) = (false, true)
        if !ducker.pointee.isListed { ducker.pointee.leave() }
    }

    /// Takes duckers out of the list that the program has let go of.
    @_noLocks
    mutating func dropDuckers(at frame: Int64) {
        var (ducker, before) = (firstDucker, UnsafeMutablePointer<DuckerCore>?.none)
        while let present = ducker {
            ducker = present.pointee.next
            guard present.pointee.isDone(at: frame) else {
                before = present
                continue
            }
            if let before { before.pointee.next = ducker } else { firstDucker = ducker }
            present.pointee.leave()
        }
    }
}
