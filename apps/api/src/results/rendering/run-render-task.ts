import {
  exporterFor,
  type OutputType,
  type SpeakerNames,
  type TranscriptDocument,
  withNames,
} from '@app/transcript';

/** What a rendering thread is asked. `document` is the stored document, JSON in UTF-8. */
export type RenderTask =
  | { kind: 'file'; document: ArrayBuffer; format: OutputType; names: SpeakerNames }
  | { kind: 'speakers'; document: ArrayBuffer };

/** The answer to each kind: the whole file, or the labels of the document in its order. */
export interface RenderResults {
  file: ArrayBuffer;
  speakers: string[];
}

export async function runRenderTask(task: RenderTask): Promise<RenderResults[RenderTask['kind']]> {
  const document = JSON.parse(new TextDecoder().decode(task.document)) as TranscriptDocument;
  if (task.kind === 'speakers') return document.speakers.map(({ id }) => id);
  const file = await exporterFor(task.format).render(withNames(document, task.names));
  // A copy of its own: a small buffer is part of a larger one that cannot be handed over.
  return new Uint8Array(file).buffer;
}
