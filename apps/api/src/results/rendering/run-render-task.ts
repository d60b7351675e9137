import {
  type CaptionLayout,
  getExporter,
  type TranscriptFormat,
  type SpeakerNames,
  type TranscriptDocument,
  addSpeakerNames,
} from '@app/transcript';

export interface RenderOptions {
  format: TranscriptFormat;
  names: SpeakerNames;
  /** Of srt and vtt. */
  captionLayout?: CaptionLayout | undefined;
}

/** A task for a rendering thread. `document` is the stored document, JSON in UTF-8. */
export type RenderTask =
  ({ kind: 'file'; document: ArrayBuffer } & RenderOptions) | { kind: 'outline'; document: ArrayBuffer };

/** What changes of a transcript may refer to. */
export interface TranscriptOutline {
  /** Labels, in the order of the document. */
  speakers: string[];
  segmentCount: number;
}

export interface RenderResults {
  file: ArrayBuffer;
  outline: TranscriptOutline;
}

export async function runRenderTask(task: RenderTask): Promise<RenderResults[RenderTask['kind']]> {
  const document = JSON.parse(new TextDecoder().decode(task.document)) as TranscriptDocument;
  if (task.kind === 'outline')
    return { speakers: document.speakers.map(({ id }) => id), segmentCount: document.segments.length };
  const file = await getExporter(task.format).render(
    addSpeakerNames(document, task.names),
    task.captionLayout,
  );
  // A copy: a small Buffer shares a pool that cannot be transferred.
  return new Uint8Array(file).buffer;
}
