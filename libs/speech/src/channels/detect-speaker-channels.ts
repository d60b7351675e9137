import { decodeChannels, type DecodeOptions } from '../decode/decode-audio.js';
import { SAMPLE_RATE } from '../wav/pcm.js';
import { ChannelComparison } from './channel-comparison.js';
import { separateChannels } from './separate-channels.js';

/** Whether the channels of a recording are transcribed apart: if each has a speaker of its own, always, or never. */
export type MultichannelMode = 'auto' | true | false;

/** Two channels to be transcribed apart. */
export interface SpeakerChannels {
  /** dB to add to the right channel, so that its speaker is as loud as that of the left one. */
  rightGainDb: number;
}

/** Audio between two looks at whether comparing can end. */
const CHECK_SECONDS = 60;

/**
 * Reads a stereo file up to its end, or until its channels are clearly not of two speakers; of other files only the
 * beginning. Memory is constant.
 * @returns null if the recording is to be mixed to one channel
 * @throws like `decodeChannels`
 */
export async function detectSpeakerChannels(
  path: string,
  mode: MultichannelMode,
  options: Omit<DecodeOptions, 'onTruncated'>,
): Promise<SpeakerChannels | null> {
  if (mode === false) return null;
  const comparison = new ChannelComparison();
  let sinceCheck = 0;
  for await (const { channels, samples } of decodeChannels(path, options)) {
    if (channels === 1) return null;
    comparison.push(separateChannels(samples));
    sinceCheck += samples.length / 2;
    if (mode !== 'auto' || sinceCheck < CHECK_SECONDS * SAMPLE_RATE) continue;
    if (comparison.areClearlyMixed) return null;
    sinceCheck = 0;
  }
  const { rightGainDb } = comparison;
  return mode === true || comparison.areSeparateSpeakers ? { rightGainDb } : null;
}
