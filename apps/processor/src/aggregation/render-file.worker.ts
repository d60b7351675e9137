import { serveThreadTasks } from '@app/async';
import { getExporter, type TranscriptDocument } from '@app/transcript';
import type { RenderFileTask } from './transcript-file-renderer.js';

serveThreadTasks(async ({ document, format }: RenderFileTask) => {
  const parsed = JSON.parse(new TextDecoder().decode(document)) as TranscriptDocument;
  // A copy: a small Buffer shares a pool that cannot be transferred.
  return new Uint8Array(await getExporter(format).render(parsed)).buffer;
});
