import type { ChunkSpeakerFeaturesRow, JobOptions } from '@app/jobs';
import {
  type ChunkSpeakerFeatures,
  diarizeFeatures,
  selectChunksOfCommonestVersion,
  type SpeakerCountLimits,
} from '@app/speech';
import type { AssemblyInput, SpeakerTurn, TranscriptWarning } from '@app/transcript';
import { Logger } from '@nestjs/common';
import { toSpeakerLimits } from '../chunk/to-speaker-limits.js';
import { diarizeChannelsWithinSpeakerLimits } from './diarize-channels.js';

/** Ten hours of speech take a few seconds; a longer call has failed. */
const DIARIZATION_TIMEOUT_MS = 120_000;

const logger = new Logger('Speakers');

type TranscribedChunk = Omit<ChunkSpeakerFeaturesRow, 'index'>;
type Diarization = Pick<AssemblyInput, 'turns' | 'warnings'>;

/**
 * Channels that were transcribed apart are diarized apart. A failure gives a warning: a transcript without speakers is
 * better than none.
 * @param chunks in order of time within their channel
 * @returns turns null if they are not requested or could not be found
 * @throws only the reason of `signal`, when it is aborted
 */
export async function diarizeChunks(
  chunks: readonly TranscribedChunk[],
  options: Pick<JobOptions, 'speaker_labels' | 'num_speakers' | 'min_speakers' | 'max_speakers'>,
  signal: AbortSignal,
): Promise<Diarization> {
  if (!options.speaker_labels) return { turns: null, warnings: [] };
  const channels = [...new Set(chunks.flatMap(({ channel }) => channel ?? []))];
  const limits = toSpeakerLimits(options);
  if (channels.length === 0) {
    const { turns, secondsWithoutSpeakers } = await diarizeMixedChunks(chunks, limits, signal);
    // The warning of a transcript without any turns names no seconds.
    return { turns, warnings: turns ? buildMissingSpeakerWarnings(secondsWithoutSpeakers) : [] };
  }
  /** A channel may be diarized several times, and not all turns that are found are used. */
  const secondsWithoutSpeakersByTurns = new Map<readonly SpeakerTurn[], number>();
  const turns = await diarizeChannelsWithinSpeakerLimits(
    channels.map((channel) => async (ownLimits) => {
      const ownChunks = chunks.filter((chunk) => chunk.channel === channel);
      const { turns: found, secondsWithoutSpeakers } = await diarizeMixedChunks(ownChunks, ownLimits, signal);
      // The channel itself tells its speaker from those of other channels.
      const ownTurns = found?.length ? found : buildTurnsOfOneSpeaker(ownChunks);
      secondsWithoutSpeakersByTurns.set(ownTurns, secondsWithoutSpeakers);
      return ownTurns;
    }),
    limits,
  );
  const seconds = turns.reduce((sum, own) => sum + (secondsWithoutSpeakersByTurns.get(own) ?? 0), 0);
  return {
    turns: turns.flatMap((own, index) => own.map((turn) => ({ ...turn, channel: channels[index] }))),
    warnings: buildMissingSpeakerWarnings(seconds),
  };
}

interface MixedDiarization {
  turns: SpeakerTurn[] | null;
  /** Length of the chunks with words whose speakers are unknown. */
  secondsWithoutSpeakers: number;
}

async function diarizeMixedChunks(
  chunks: readonly TranscribedChunk[],
  limits: SpeakerCountLimits,
  signal: AbortSignal,
): Promise<MixedDiarization> {
  const described = chunks
    .filter(hasSpeakerFeatures)
    .map((chunk) => ({ ...chunk, start: chunk.blockStart ?? chunk.start }));
  const comparable = selectChunksOfCommonestVersion(described);
  if (comparable.length === 0)
    return { turns: null, secondsWithoutSpeakers: sumSecondsWithoutSpeakers(chunks, new Set()) };
  const describedStarts = new Set(comparable.map(getBlockStart));
  try {
    const turns = await diarizeFeatures(
      comparable,
      AbortSignal.any([signal, AbortSignal.timeout(DIARIZATION_TIMEOUT_MS)]),
      limits,
      ({ start }) => void describedStarts.delete(start),
    );
    signal.throwIfAborted();
    const seconds = sumSecondsWithoutSpeakers(chunks, describedStarts);
    if (describedStarts.size < comparable.length)
      logger.warn(`the speakers of ${comparable.length - describedStarts.size} damaged blocks are unknown`);
    return { turns: describedStarts.size > 0 ? turns : null, secondsWithoutSpeakers: seconds };
  } catch (error) {
    signal.throwIfAborted();
    logger.warn(`diarization failed: ${String(error)}`);
    return { turns: null, secondsWithoutSpeakers: sumSecondsWithoutSpeakers(chunks, new Set()) };
  }
}

function buildTurnsOfOneSpeaker(chunks: readonly TranscribedChunk[]): SpeakerTurn[] {
  return chunks.flatMap(({ start: offset, end, speech }) =>
    (speech ?? [{ start: 0, end: end - offset }]).map((span) => ({
      speaker: 0,
      start: offset + span.start,
      end: offset + span.end,
    })),
  );
}

/** Identifies the block of a chunk; a chunk without one is a block of its own. */
function getBlockStart({ blockStart, start }: TranscribedChunk): number {
  return blockStart ?? start;
}

function hasSpeakerFeatures(chunk: TranscribedChunk): chunk is TranscribedChunk & ChunkSpeakerFeatures {
  return typeof chunk.speakerFeatures === 'string';
}

function sumSecondsWithoutSpeakers(
  chunks: readonly TranscribedChunk[],
  describedStarts: ReadonlySet<number>,
): number {
  return chunks
    .filter((chunk) => chunk.words > 0 && !describedStarts.has(getBlockStart(chunk)))
    .reduce((sum, { start, end }) => sum + end - start, 0);
}

function buildMissingSpeakerWarnings(seconds: number): TranscriptWarning[] {
  if (seconds === 0) return [];
  return [
    {
      code: 'speakers_unavailable',
      message: `The speakers could not be identified in ${Math.ceil(seconds)} seconds of the recording.`,
      segment_id: null,
    },
  ];
}
