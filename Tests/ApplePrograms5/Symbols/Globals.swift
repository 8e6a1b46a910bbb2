// SPDX-FileCopyrightText: 2026 The Bulkhead authors
// SPDX-License-Identifier: MIT
// Each constant, function and plain type, typed as on Apple's systems. Compiled, never run: a wrong type is an error.

import AVFoundation

func useAVAudioChannelCount(_ count: AVAudioChannelCount) -> UInt32 { count }
func useAVAudioFrameCount(_ count: AVAudioFrameCount) -> UInt32 { count }
func useAVAudioFramePosition(_ position: AVAudioFramePosition) -> Int64 { position }
func useAVAudioNodeBus(_ bus: AVAudioNodeBus) -> Int { bus }
func useAVAudioNodeCompletionHandler(_ handler: AVAudioNodeCompletionHandler) { handler() }
func useAVAudioNodeTapBlock(_ block: AVAudioNodeTapBlock, _ buffer: AVAudioPCMBuffer, _ time: AVAudioTime) { block(buffer, time) }
func useAVAudioPacketCount(_ count: AVAudioPacketCount) -> UInt32 { count }
func useOSStatus(_ status: OSStatus) -> Int32 { status }
func useAUValue(_ value: AUValue) -> Float { value }

func useGlobals() {
    let keys: [String] = [AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey]
    let pcmKeys: [String] = [AVLinearPCMBitDepthKey, AVLinearPCMIsBigEndianKey, AVLinearPCMIsFloatKey, AVLinearPCMIsNonInterleaved]
    let encoderKeys: [String] = [AVEncoderAudioQualityKey, AVEncoderBitRateKey]
    let algorithms: [String] = [AVSampleRateConverterAlgorithm_Mastering, AVSampleRateConverterAlgorithm_Normal]
    let range: AVBeatRange = AVMakeBeatRange(0 as AVMusicTimeStamp, 4 as AVMusicTimeStamp)
    _ = (keys, pcmKeys, encoderKeys, algorithms, range)
}

func useCoreAudioGlobals(_ buffer: AudioBuffer, _ other: AudioBuffer) {
    memcpy(buffer.mData, other.mData, Int(buffer.mDataByteSize))
    let banks: [Int] = [kAUSampler_DefaultMelodicBankMSB, kAUSampler_DefaultPercussionBankMSB, kAUSampler_DefaultBankLSB]
    let layouts: [AudioChannelLayoutTag] = [
        kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_AudioUnit_4, kAudioChannelLayoutTag_AudioUnit_5_0,
        kAudioChannelLayoutTag_AudioUnit_6_0, kAudioChannelLayoutTag_AudioUnit_7_0, kAudioChannelLayoutTag_AudioUnit_7_1,
        kAudioChannelLayoutTag_AudioUnit_8, kAudioChannelLayoutTag_DiscreteInOrder,
    ]
    let formats: [AudioFormatID] = [kAudioFormatLinearPCM, kAudioFormatMPEG4AAC, kAudioFormatFLAC]
    let flags: [AudioFormatFlags] = [
        kAudioFormatFlagIsBigEndian, kAudioFormatFlagIsFloat, kAudioFormatFlagIsNonInterleaved, kAudioFormatFlagIsSignedInteger,
        kLinearPCMFormatFlagIsPacked,
    ]
    let codes: [OSStatus] = [
        noErr, kAudioUnitErr_Uninitialized, kAudioFileStreamError_DataUnavailable, kAudioFileStreamError_UnspecifiedError,
    ]
    let file: AudioFileTypeID = kAudioFileOggType
    let scopes: [AudioUnitScope] = [kAudioUnitScope_Global, kAudioUnitScope_Output]
    let types: [OSType] = [
        kAudioUnitManufacturer_Apple, kAudioUnitType_Effect, kAudioUnitType_FormatConverter, kAudioUnitType_MusicDevice,
    ]
    let subtypes: [OSType] = [
        kAudioUnitSubType_AUiPodTimeOther, kAudioUnitSubType_DynamicsProcessor, kAudioUnitSubType_HighPassFilter,
        kAudioUnitSubType_MIDISynth, kAudioUnitSubType_PeakLimiter,
    ]
    let value: AudioUnitParameterValue = 1 as Float
    let scope: AudioUnitScope = 0 as UInt32
    let time: UInt64 = mach_absolute_time()
    _ = (banks, layouts, formats, flags, codes, file, scopes, types, subtypes, value, scope, time)
}
