import type { PackedAudio } from '../chunking/packed-audio.js';
import { decodeWindows, encodeWindows } from './acoustic-window.js';
import { decodeSpeakers, encodeSpeakers, isEncodedSpeakers } from './neural/speaker-embedding.js';

/**
 * Converts the times of speaker features from the audio of a chunk to the file.
 * @param voices from `extractSpeakerFeatures` or a `SpeakerFeatureExtractor`
 * @throws SpeakerFeaturesDecodeError
 */
export function moveSpeakerFeatures(voices: string, audio: PackedAudio): string {
  const isNotEmpty = ({ start, end }: { start: number; end: number }): boolean => end > start;
  if (!isEncodedSpeakers(voices))
    return encodeWindows(
      decodeWindows(voices)
        .map(({ start, end, frames, voiced, pitch, mean }) =>
          audio.toFile({ start, end, frames, voiced, pitch, mean }),
        )
        .filter(isNotEmpty),
    );
  const { speakers, ...model } = decodeSpeakers(voices);
  return encodeSpeakers({
    ...model,
    speakers: speakers.map(({ turns, embedding }) => ({
      embedding,
      turns: turns.flatMap((turn) => audio.splitToFile(turn)).filter(isNotEmpty),
    })),
  });
}
