import { arrayBuffer } from 'node:stream/consumers';
import { ThreadPool } from '@app/async';
import type { ObjectStore } from '@app/storage';
import { getExporter, type TranscriptDocument, type TranscriptFormat } from '@app/transcript';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

/** Some minutes of speech, which are rendered faster than a thread starts. */
const MAX_EVENT_LOOP_BYTES = 128 * 1024;
const THREAD_OPTIONS = {
  maxThreads: 2,
  maxQueuedTasks: 1_000,
  taskTimeoutMs: 600_000,
  idleTimeoutMs: 30_000,
};

/** A task for a rendering thread. `document` is the stored document, JSON in UTF-8. */
export interface RenderFileTask {
  document: ArrayBuffer;
  format: TranscriptFormat;
}

/** Renders long transcripts in threads: on the event loop they would delay the renewal of every lease. */
@Injectable()
export class TranscriptFileRenderer implements OnApplicationShutdown {
  private readonly threads = new ThreadPool({
    script: new URL('./render-file.worker.js', import.meta.url),
    ...THREAD_OPTIONS,
  });

  /** @param stored the document in the store, and its size in bytes */
  async render(
    store: Pick<ObjectStore, 'get'>,
    document: TranscriptDocument,
    stored: { key: string; size: number },
    format: TranscriptFormat,
  ): Promise<Buffer> {
    if (stored.size <= MAX_EVENT_LOOP_BYTES) return getExporter(format).render(document);
    const file = await this.threads.run<ArrayBuffer>(async () => {
      const bytes = await arrayBuffer(await store.get(stored.key));
      return { message: { document: bytes, format } satisfies RenderFileTask, transfer: [bytes] };
    });
    return Buffer.from(file);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }
}
