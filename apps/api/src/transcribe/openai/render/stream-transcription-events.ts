import { addSpacesOfText, joinWords, needsSpaceBetweenSentences } from '@app/transcript';
import { NEVER } from 'rxjs';
import { toServiceError } from '../../../errors/to-service-error.js';
import { toOpenAiErrorResponse } from '../../../errors/openai-error-response.js';
import type {
  SegmentTextDelta,
  TranscriptTextDeltas,
} from '../../../transcripts/rendering/run-render-task.js';
import { type ChunkSource, readUntilSettled } from './read-until-settled.js';

/** Text of a chunk, as the engine recognised it. */
export interface StreamedChunkText {
  text: string;
  /** Seconds from the start of the file. */
  end: number;
  /** Null if the channels of the file are not transcribed apart. */
  channel: number | null;
}

const NO_CHUNKS: ChunkSource<StreamedChunkText> = { read: async () => [], progress: NEVER };

/**
 * Yields a streamed response as server-sent events: a delta per transcribed chunk and comments while the job runs, a delta
 * per remaining segment, then the whole text; or an error event, because the status has been sent. The whole text is
 * authoritative: it has the punctuation and corrections that chunks do not have.
 * @param source no chunks by default
 */
export async function* streamTranscriptionEvents(
  pendingTranscript: Promise<TranscriptTextDeltas>,
  heartbeatMs: number,
  source: ChunkSource<StreamedChunkText> = NO_CHUNKS,
): AsyncGenerator<string> {
  yield ': accepted\n\n';
  const sentUntil = new Map<number | null, number>();
  let sentText = '';
  const formatDelta = (text: string): string => {
    const separator = sentText !== '' && needsSpaceBetweenSentences(sentText, text) ? ' ' : '';
    sentText = text;
    return formatEvent({ type: 'transcript.text.delta', delta: separator + text });
  };
  try {
    for await (const chunks of readUntilSettled(pendingTranscript, heartbeatMs, source)) {
      for (const { text, end, channel } of chunks) {
        sentUntil.set(channel, Math.max(sentUntil.get(channel) ?? 0, end));
        if (text !== '') yield formatDelta(text);
      }
      if (chunks.length === 0) yield ': heartbeat\n\n';
    }
    const { segments, text } = await pendingTranscript;
    if (sentText === '')
      for (const { delta } of segments) yield formatEvent({ type: 'transcript.text.delta', delta });
    else for (const rest of listUnsentTexts(segments, sentUntil)) yield formatDelta(rest);
    yield formatEvent({ type: 'transcript.text.done', text });
  } catch (error) {
    yield formatEvent(toOpenAiErrorResponse(toServiceError(error)).body);
  }
}

/** Texts that are not sent yet. A segment that begins before the limit of its channel has only the words after that. */
function listUnsentTexts(
  segments: SegmentTextDelta[],
  sentUntil: ReadonlyMap<number | null, number>,
): string[] {
  return segments.flatMap(({ start, channel, text, words }) => {
    const second = sentUntil.get(channel) ?? 0;
    if (start >= second) return [text];
    const spaced = addSpacesOfText(
      words.map((each) => ({ text: each.word, start: each.start })),
      text,
    );
    const rest = joinWords(spaced.filter((word) => word.start >= second));
    return rest === '' ? [] : [rest];
  });
}

function formatEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
