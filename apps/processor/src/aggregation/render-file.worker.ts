import { parentPort } from 'node:worker_threads';
import type { ThreadResult } from '@app/async';
import { describeError } from '@app/errors';
import { getExporter, type TranscriptDocument } from '@app/transcript';
import type { RenderFileTask } from './transcript-file-renderer.js';

parentPort?.on('message', (task: RenderFileTask) => {
  void renderSafely(task).then((result) =>
    parentPort?.postMessage(result, 'value' in result ? [result.value] : []),
  );
});

async function renderSafely({ document, format }: RenderFileTask): Promise<ThreadResult<ArrayBuffer>> {
  try {
    const parsed = JSON.parse(new TextDecoder().decode(document)) as TranscriptDocument;
    // A copy: a small Buffer shares a pool that cannot be transferred.
    return { value: new Uint8Array(await getExporter(format).render(parsed)).buffer };
  } catch (error) {
    return { failure: describeError(error) };
  }
}
