import type { PackedAudioTimeMap } from '../chunking/packed-audio-time-map.js';
import { decodeAcousticWindowsFromText, encodeAcousticWindowsAsText } from './acoustic-window.js';
import {
  decodeSpeakerEmbeddingsFromText,
  encodeSpeakerEmbeddingsAsText,
  isEncodedSpeakerEmbeddings,
} from './neural/speaker-embedding.js';

/**
 * Converts the times of speaker features from the audio of a chunk to the file.
 * @param speakerFeatures from `extractEncodedAcousticFeatures` or a `SpeakerFeatureExtractor`
 * @throws SpeakerFeaturesDecodeError
 */
export function mapSpeakerFeaturesToUnpackedTime(speakerFeatures: string, audio: PackedAudioTimeMap): string {
  if (!isEncodedSpeakerEmbeddings(speakerFeatures))
    return encodeAcousticWindowsAsText(
      decodeAcousticWindowsFromText(speakerFeatures).map(({ start, end, frames, voiced, pitch, mean }) =>
        audio.toFile({ start, end, frames, voiced, pitch, mean }),
      ),
    );
  const { speakers, ...model } = decodeSpeakerEmbeddingsFromText(speakerFeatures);
  return encodeSpeakerEmbeddingsAsText({
    ...model,
    speakers: speakers.map(({ turns, embedding }) => ({
      embedding,
      turns: turns.flatMap((turn) => audio.splitToFile(turn)),
    })),
  });
}
