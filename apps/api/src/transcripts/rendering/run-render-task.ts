import {
  type CaptionLayout,
  getExporter,
  type TranscriptFormat,
  type SpeakerNames,
  type TranscriptDocument,
  type TranscriptWord,
  replaceSpeakerNames,
} from '@app/transcript';
import {
  type RenderedTranscription,
  renderTranscription,
  splitTextBySegment,
} from '../../transcribe/openai/render/render-transcription.js';

export interface RenderFileOptions {
  format: TranscriptFormat;
  names: SpeakerNames;
  /** For srt and vtt. */
  captionLayout?: CaptionLayout | undefined;
}

/** The format and lists of an OpenAI-compatible response. */
export type TranscriptionResponseParams = Parameters<typeof renderTranscription>[1];

/** A task for a rendering thread. `document` is the stored document, JSON in UTF-8. */
export type RenderTask = { document: ArrayBuffer } & (
  | ({ kind: 'file' } & RenderFileOptions)
  | { kind: 'outline' }
  | { kind: 'transcription'; params: TranscriptionResponseParams }
  | { kind: 'deltas' }
);

/** What changes of a transcript may refer to. */
export interface TranscriptSpeakerLabelsAndSegmentCount {
  /** Labels, in the order of the document. */
  speakers: string[];
  segmentCount: number;
}

export interface RenderResultByTaskKind {
  file: ArrayBuffer;
  outline: TranscriptSpeakerLabelsAndSegmentCount;
  transcription: RenderedTranscription;
  deltas: TranscriptTextDeltas;
}

/** The text of a transcript, whole and in one piece for each segment. */
export interface TranscriptTextDeltas {
  segments: SegmentTextDelta[];
  text: string;
}

export interface SegmentTextDelta {
  /** With the characters between this segment and the previous one. */
  delta: string;
  text: string;
  /** Seconds from the start of the file. */
  start: number;
  /** From 1; null if the channels were not transcribed apart. */
  channel: number | null;
  /** Empty without word timestamps. */
  words: Pick<TranscriptWord, 'word' | 'start'>[];
}

export async function runRenderTask(task: RenderTask): Promise<RenderResultByTaskKind[RenderTask['kind']]> {
  const document = JSON.parse(new TextDecoder().decode(task.document)) as TranscriptDocument;
  if (task.kind === 'transcription') return renderTranscription(document, task.params);
  if (task.kind === 'deltas') return toTranscriptTextDeltas(document);
  if (task.kind === 'outline')
    return { speakers: document.speakers.map(({ id }) => id), segmentCount: document.segments.length };
  const file = await getExporter(task.format).render(
    replaceSpeakerNames(document, task.names),
    task.captionLayout,
  );
  // A copy: a small Buffer shares a pool that cannot be transferred.
  return new Uint8Array(file).buffer;
}

export function toTranscriptTextDeltas(document: TranscriptDocument): TranscriptTextDeltas {
  const deltas = splitTextBySegment(document);
  const segments = document.segments.map(({ text, start, channel, words }, index) => ({
    ...{ delta: deltas[index] ?? text, text, start, channel },
    words: (words ?? []).map((each) => ({ word: each.word, start: each.start })),
  }));
  return { segments, text: document.text };
}
