import { decodeToMonoOrStereo, type DecodeOptions } from '../decode/decode-audio.js';
import { SAMPLE_RATE } from '../wav/pcm.js';
import { SeparateSpeakerChannelDetector } from './separate-speaker-channel-detector.js';
import { deinterleaveStereo } from './deinterleave-stereo.js';

/** Whether the channels of a recording are transcribed apart: if each has a speaker of its own, always, or never. */
export type MultichannelMode = 'auto' | true | false;

/** Two channels to be transcribed apart. */
export interface RightChannelGain {
  /** dB to add to the right channel, so that its speaker is as loud as that of the left one. */
  rightGainDb: number;
}

/** Audio between two looks at whether comparing can end. */
const CHECK_SECONDS = 60;

/**
 * Reads a stereo file up to its end, or until its channels are clearly not of two speakers; of other files only the
 * beginning. Memory is constant.
 * @returns null if the recording is to be mixed to one channel
 * @throws like `decodeToMonoOrStereo`
 */
export async function findRightChannelGainUnlessMixed(
  path: string,
  mode: MultichannelMode,
  options: Omit<DecodeOptions, 'onTruncated' | 'onDamaged'>,
): Promise<RightChannelGain | null> {
  if (mode === false) return null;
  const comparison = new SeparateSpeakerChannelDetector();
  let sinceCheck = 0;
  for await (const { channels, samples } of decodeToMonoOrStereo(path, options)) {
    if (channels === 1) return null;
    comparison.push(deinterleaveStereo(samples));
    sinceCheck += samples.length / 2;
    if (mode !== 'auto' || sinceCheck < CHECK_SECONDS * SAMPLE_RATE) continue;
    if (comparison.areClearlyMixed) return null;
    sinceCheck = 0;
  }
  const { rightGainDb } = comparison;
  return mode === true || comparison.areSeparateSpeakers ? { rightGainDb } : null;
}
