import { availableParallelism } from 'node:os';
import { arrayBuffer } from 'node:stream/consumers';
import type { Writable } from 'node:stream';
import { ServiceError } from '@app/errors';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { RenderOptions, RenderResults, RenderTask, TranscriptOutline } from './run-render-task.js';
import { ThreadPool, ThreadPoolBusyError } from './thread-pool.js';

const MIB = 1024 * 1024;

/** About 300,000 words, or thirty hours of speech. */
const MAX_DOCUMENT_BYTES = 32 * MIB;
/** Rendered files that clients have not read yet; above this, requests are rejected. */
const MAX_UNSENT_BYTES = 256 * MIB;
const MAX_THREADS = 2;
const MAX_QUEUED_TASKS = 16;
const TASK_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 30_000;
const BUSY_RETRY_AFTER_SECONDS = 2;

/** Renders transcripts in worker threads with limits of size, concurrency, time and memory. */
@Injectable()
export class TranscriptRenderer implements OnApplicationShutdown {
  private readonly threads = new ThreadPool({
    script: new URL('./render.worker.js', import.meta.url),
    // One processor is left to the event loop.
    maxThreads: Math.max(1, Math.min(MAX_THREADS, availableParallelism() - 1)),
    maxQueuedTasks: MAX_QUEUED_TASKS,
    taskTimeoutMs: TASK_TIMEOUT_MS,
    idleTimeoutMs: IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: 1_024 },
  });
  private unsentBytes = 0;

  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  /**
   * Renders the stored document in a format with the speaker names.
   * @param reader receives the file, which counts as unsent until it closes
   * @throws ServiceError `transcript_too_large`; `service_unavailable` while the renderer is busy
   */
  async renderFile(documentKey: string, options: RenderOptions, reader: Writable): Promise<Buffer> {
    if (this.unsentBytes > MAX_UNSENT_BYTES) throw rendererBusyError();
    const bytes = await this.runTask<'file'>(
      documentKey,
      (document) => ({ kind: 'file', document, ...options }),
      () => !reader.closed,
    );
    if (!reader.closed) {
      this.unsentBytes += bytes.byteLength;
      reader.once('close', () => (this.unsentBytes -= bytes.byteLength));
    }
    return Buffer.from(bytes);
  }

  /** Throws like `renderFile`. */
  readOutline(documentKey: string): Promise<TranscriptOutline> {
    return this.runTask<'outline'>(documentKey, (document) => ({ kind: 'outline', document }));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }

  /** @param isStillNeeded called when a thread is free: the client may have disconnected meanwhile */
  private async runTask<K extends RenderTask['kind']>(
    documentKey: string,
    createTask: (document: ArrayBuffer) => RenderTask & { kind: K },
    isStillNeeded = () => true,
  ): Promise<RenderResults[K]> {
    try {
      return await this.threads.run<RenderResults[K]>(async () => {
        if (!isStillNeeded()) throw rendererBusyError();
        const document = await this.loadDocument(documentKey);
        return { message: createTask(document), transfer: [document] };
      });
    } catch (error) {
      if (error instanceof ThreadPoolBusyError) throw rendererBusyError();
      throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? transcriptTooLargeError(error)
        : error;
    }
  }

  private async loadDocument(key: string): Promise<ArrayBuffer> {
    const size = (await this.store.head(key))?.size ?? 0;
    if (size > MAX_DOCUMENT_BYTES) throw transcriptTooLargeError();
    return arrayBuffer(await this.store.get(key));
  }
}

function rendererBusyError(): ServiceError {
  return new ServiceError('service_unavailable', {
    detail: 'Too many transcripts are being written at the moment.',
    retryAfter: BUSY_RETRY_AFTER_SECONDS,
  });
}

function transcriptTooLargeError(cause?: unknown): ServiceError {
  return new ServiceError('transcript_too_large', {
    detail: 'It is longer than what is read at once. Its download_url serves it as it was stored.',
    cause,
  });
}
