import type { ChunkSpeakerFeaturesRow } from '@app/jobs';
import { type ChunkSpeakerFeatures, selectChunksOfMainFeatureVersion, diarizeFeatures } from '@app/speech';
import type { AssemblyInput, TranscriptWarning } from '@app/transcript';
import { Logger } from '@nestjs/common';

/** Ten hours of speech take a few seconds; a longer call has failed. */
const DIARIZATION_TIMEOUT_MS = 120_000;

const logger = new Logger('Speakers');

type TranscribedChunk = Omit<ChunkSpeakerFeaturesRow, 'index'>;

/**
 * A failure gives a warning: a transcript without speakers is better than none.
 * @param chunks in order of time
 * @returns turns null if they are not requested or could not be found
 * @throws only the reason of `signal`, when it is aborted
 */
export async function diarizeChunks(
  chunks: readonly TranscribedChunk[],
  options: { speaker_labels: boolean },
  signal: AbortSignal,
): Promise<Pick<AssemblyInput, 'turns' | 'warnings'>> {
  if (!options.speaker_labels) return { turns: null, warnings: [] };
  const comparable = selectChunksOfMainFeatureVersion(chunks.filter(hasVoices));
  if (comparable.length === 0) return { turns: null, warnings: [] };
  try {
    const turns = await diarizeFeatures(
      comparable,
      AbortSignal.any([signal, AbortSignal.timeout(DIARIZATION_TIMEOUT_MS)]),
    );
    return { turns, warnings: buildMissingSpeakerWarnings(chunks, comparable) };
  } catch (error) {
    signal.throwIfAborted();
    logger.warn(`Diarization failed: ${String(error)}`);
    return { turns: null, warnings: [] };
  }
}

function hasVoices(chunk: TranscribedChunk): chunk is TranscribedChunk & ChunkSpeakerFeatures {
  return typeof chunk.voices === 'string';
}

function buildMissingSpeakerWarnings(
  chunks: readonly TranscribedChunk[],
  comparable: readonly TranscribedChunk[],
): TranscriptWarning[] {
  const missing = chunks.filter((chunk) => chunk.words > 0 && !comparable.includes(chunk));
  if (missing.length === 0) return [];
  const seconds = missing.reduce((sum, { start, end }) => sum + end - start, 0);
  return [
    {
      code: 'speakers_unavailable',
      message: `The speakers could not be identified in ${Math.ceil(seconds)} seconds of the recording.`,
      segment_id: null,
    },
  ];
}
