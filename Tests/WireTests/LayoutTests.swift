// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Compares the tables of Protocol/README.md with the compiler's layout of CWireLayout.h. Test thread.

import CWireLayout
import Testing

@Suite struct LayoutTests {
    private let specification = Specification()

    @Test func theSpecificationGivesEveryOffsetOfTheRegionHeader() {
        specification.expect("### Region header", CWireLayout_RegionHeader.self) { field in
            switch field {
            case "magic": \.magic
            case "version": \.version
            case "byteCount": \.byteCount
            case "sampleRate": \.sampleRate
            case "maximumFrameCount": \.maximumFrameCount
            case "slotCount": \.slotCount
            case "inputBusCount": \.inputBusCount
            case "outputBusCount": \.outputBusCount
            case "hostToPluginEventCapacity": \.hostToPluginEventCapacity
            case "pluginToHostEventCapacity": \.pluginToHostEventCapacity
            case "hostWordsOffset": \.hostWordsOffset
            case "pluginWordsOffset": \.pluginWordsOffset
            case "requestsOffset": \.requestsOffset
            case "repliesOffset": \.repliesOffset
            case "hostToPluginEventsOffset": \.hostToPluginEventsOffset
            case "pluginToHostEventsOffset": \.pluginToHostEventsOffset
            default: nil
            }
        }
    }

    @Test func theSpecificationGivesEveryOffsetOfTheWords() {
        specification.expect("### Host words", CWireLayout_HostWords.self) { field in
            switch field {
            case "publishedSequence": \.publishedSequence
            case "hostToPluginWritten": \.hostToPluginWritten
            case "pluginToHostRead": \.pluginToHostRead
            default: nil
            }
        }
        specification.expect("### Plug-in words", CWireLayout_PluginWords.self) { field in
            switch field {
            case "completedSequence": \.completedSequence
            case "startedSequence": \.startedSequence
            case "hostToPluginRead": \.hostToPluginRead
            case "pluginToHostWritten": \.pluginToHostWritten
            case "lifeline": \.lifeline
            default: nil
            }
        }
    }

    @Test func theSpecificationGivesEveryOffsetOfARequest() {
        specification.expect("### Request", CWireLayout_Request.self) { field in
            switch field {
            case "sequence": \.sequence
            case "sampleTime": \.sampleTime
            case "hostTime": \.hostTime
            case "inputFrameCount": \.inputFrameCount
            case "outputFrameCount": \.outputFrameCount
            case "flags": \.flags
            case "transportFlags": \.transportFlags
            case "tempo": \.tempo
            case "beatPosition": \.beatPosition
            case "timeSignatureNumerator": \.timeSignatureNumerator
            case "timeSignatureDenominator": \.timeSignatureDenominator
            case "eventCount": \.eventCount
            case "successorRing": \.successorRing
            case "outputSlot": \.outputSlot
            case "inputSlots": \.inputSlots
            case "spinNanoseconds": \.spinNanoseconds
            case "wiring": \.wiring
            case "reserved": \.reserved
            default: nil
            }
        }
    }

    @Test func theSpecificationGivesEveryOffsetOfAReply() {
        specification.expect("### Reply", CWireLayout_Reply.self) { field in
            switch field {
            case "sequence": \.sequence
            case "status": \.status
            case "outputFrameCount": \.outputFrameCount
            case "inputFrameCount": \.inputFrameCount
            case "latencyFrameCount": \.latencyFrameCount
            case "tailFrameCount": \.tailFrameCount
            case "droppedEventCount": \.droppedEventCount
            case "renderNanoseconds": \.renderNanoseconds
            case "invalidStretchCount": \.invalidStretchCount
            case "unplayedNoteCount": \.unplayedNoteCount
            case "substitutedProgramCount": \.substitutedProgramCount
            case "reserved": \.reserved
            default: nil
            }
        }
    }

    @Test func theSpecificationGivesEveryOffsetOfAnEvent() {
        specification.expect("## 11 Events", CWireLayout_Event.self) { field in
            switch field {
            case "sampleTime": \.sampleTime
            case "kind": \.kind
            case "cable": \.cable
            case "byteCount": \.byteCount
            case "flags": \.flags
            case "rampFrameCount": \.rampFrameCount
            case "address": \.address
            case "value": \.value
            default: nil
            }
        }
    }

    @Test func everySizeIsTheOneThatTheSpecificationStates() {
        #expect(MemoryLayout<CWireLayout_RegionHeader>.size == 96)
        #expect(MemoryLayout<CWireLayout_HostWords>.size == 192)
        #expect(MemoryLayout<CWireLayout_PluginWords>.size == 256)
        #expect(MemoryLayout<CWireLayout_Request>.size == 128)
        #expect(MemoryLayout<CWireLayout_Reply>.size == 64)
        #expect(MemoryLayout<CWireLayout_Event>.size == 32)
        #expect(MemoryLayout<CWireLayout_MessageHeader>.size == 16)
        #expect(MemoryLayout<CPluginInterface_Table>.size == 64)
        #expect(MemoryLayout<CPluginInterface_Attachment>.size == 80)
    }
}
