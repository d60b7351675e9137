import {
  getExporter,
  type TranscriptFormat,
  type SpeakerNames,
  type TranscriptDocument,
  addSpeakerNames,
} from '@app/transcript';

/** A task for a rendering thread. `document` is the stored document, JSON in UTF-8. */
export type RenderTask =
  | { kind: 'file'; document: ArrayBuffer; format: TranscriptFormat; names: SpeakerNames }
  | { kind: 'speakers'; document: ArrayBuffer };

export interface RenderResults {
  file: ArrayBuffer;
  speakers: string[];
}

export async function runRenderTask(task: RenderTask): Promise<RenderResults[RenderTask['kind']]> {
  const document = JSON.parse(new TextDecoder().decode(task.document)) as TranscriptDocument;
  if (task.kind === 'speakers') return document.speakers.map(({ id }) => id);
  const file = await getExporter(task.format).render(addSpeakerNames(document, task.names));
  // A copy: a small Buffer shares a pool that cannot be transferred.
  return new Uint8Array(file).buffer;
}
