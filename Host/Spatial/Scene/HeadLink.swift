// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// The heads through which a source has been heard, each with its own filters and level. Render thread; made by the control thread.

import Realtime
import Rendering

/// A head in the list of a source's heads.
///
/// All of them sound together, and all but the chosen one fade out. None goes before its source goes, because a plan may still call it.
struct HeadLink {
    let table: UnsafePointer<HeadTable>
    var voice: HeadVoice
    let next: UnsafeMutablePointer<HeadLink>?
}

extension SourceCore {
    /// The heads; the last one that was chosen for the first time comes first.
    private var heads: UnsafeMutablePointer<HeadLink>? {
        // Acquire: the links are complete.
        @_noLocks get { UnsafeMutablePointer<HeadLink>(bitPattern: shared.pointee.heads.load(ordering: .acquiring)) }
    }

    /// True if a head would be heard in silence.
    var areHeadsRinging: Bool {
        @_noLocks get {
            var link = heads
            while let this = link {
                if this.pointee.voice.isRinging { return true }
                link = this.pointee.next
            }
            return false
        }
    }

    /// Forgets what heads have heard; no thread renders meanwhile.
    func forgetHeads() {
        var link = heads
        while let this = link {
            this.pointee.voice.forget()
            link = this.pointee.next
        }
    }

    /// Lets the chosen head hear the source at a place, and the others fade out.
    @_noLocks
    func aimHeads(
        _ scene: SceneValues, _ places: (source: SpacePoint, listener: SpacePoint), glideFrameCount: Int, restarts: Bool
    ) {
        var link = heads
        guard link != nil else { return }
        let target = scene.headTarget(places.source, places.listener, isPoint: isPoint(scene))
        let silent = HeadTarget(place: target.place, gain: 0)
        while let this = link {
            let isChosen = scene.head == this.pointee.table
            this.pointee.voice.aim(at: isChosen ? target : silent, glideFrameCount: glideFrameCount, restarts: restarts)
            link = this.pointee.next
        }
    }

    /// True if the channels of the source become one point.
    @_noLocks
    private func isPoint(_ scene: SceneValues) -> Bool { scene.source.placing.isPoint(ofChannelCount: map.sourceChannelCount) }

    /// Adds a piece of the source to the sums of its heads; nil stands for silence.
    @_noLocks
    func playHeads(
        _ samples: UnsafePointer<Float>?, _ frameCount: Int, from start: Int, _ fields: UnsafeMutablePointer<HeadSums.Fields>
    ) {
        var link = heads
        while let this = link {
            if let field = fields.pointee.field(this.pointee.voice.transformSize) {
                this.pointee.voice.process(samples, frameCount, from: start, into: field)
            }
            link = this.pointee.next
        }
    }
}

extension SceneValues {
    /// The place and the level of the source as a head hears it; a level of 0 if it is not one point.
    @_noLocks
    func headTarget(_ source: SpacePoint, _ listener: SpacePoint, isPoint: Bool) -> HeadTarget {
        let heard = HeardSource(source, listener, self.listener.axes, sourceAxes: self.source.axes)
        let place = self.listener.axes.local(source - listener)
        return HeadTarget(place: SIMD3<Float>(place), gain: isPoint ? Float(SourceLevel(self, heard).placed) : 0)
    }
}
