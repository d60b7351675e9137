import type { VoicesRow } from '@app/jobs';
import { type ChunkVoices, comparable, tellSpeakers } from '@app/speech';
import type { AssemblyInput, TranscriptWarning } from '@app/transcript';
import { Logger } from '@nestjs/common';

/** Ten hours of speech take a few seconds: what takes longer than this has gone wrong. */
const LONGEST_MS = 120_000;

const logger = new Logger('Speakers');

type HeardChunk = Omit<VoicesRow, 'index'>;

/**
 * Who speaks when, and what is to be said about it. A transcript without speakers is better than none.
 * @param chunks in order of time
 * @returns turns null when they are not wanted or could not be told
 * @throws only the reason of `signal`, when it is aborted
 */
export async function speakerTurns(
  chunks: readonly HeardChunk[],
  options: { speaker_labels: boolean },
  signal: AbortSignal,
): Promise<Pick<AssemblyInput, 'turns' | 'warnings'>> {
  if (!options.speaker_labels) return { turns: null, warnings: [] };
  const described = comparable(chunks.filter(isDescribed));
  if (described.length === 0) return { turns: null, warnings: [] };
  try {
    const turns = await tellSpeakers(described, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
    return { turns, warnings: missingParts(chunks, described) };
  } catch (error) {
    signal.throwIfAborted();
    logger.warn(`The speakers could not be told apart: ${String(error)}`);
    return { turns: null, warnings: [] };
  }
}

function isDescribed(chunk: HeardChunk): chunk is HeardChunk & ChunkVoices {
  return typeof chunk.voices === 'string';
}

function missingParts(chunks: readonly HeardChunk[], described: readonly HeardChunk[]): TranscriptWarning[] {
  const missing = chunks.filter((chunk) => chunk.words > 0 && !described.includes(chunk));
  if (missing.length === 0) return [];
  const seconds = missing.reduce((sum, { start, end }) => sum + end - start, 0);
  return [
    {
      code: 'speakers_unavailable',
      message: `The speakers could not be told apart in ${Math.ceil(seconds)} seconds of the recording.`,
      segment_id: null,
    },
  ];
}
