import { availableParallelism } from 'node:os';
import { arrayBuffer } from 'node:stream/consumers';
import type { Writable } from 'node:stream';
import { ServiceError } from '@app/errors';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import type { OutputType, SpeakerNames } from '@app/transcript';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { RenderResults, RenderTask } from './run-render-task.js';
import { ThreadPool, ThreadPoolBusyError } from './thread-pool.js';

const MIB = 1024 * 1024;

/** Bytes of a document: about 300,000 words, or more than thirty hours of talk. */
const MOST_DOCUMENT_BYTES = 32 * MIB;
/** Bytes of files that were written and wait for their readers, beyond which no more are written. */
const MOST_UNSENT_BYTES = 256 * MIB;
const MOST_THREADS = 2;
const MOST_WAITING = 16;
const TASK_MS = 60_000;
const IDLE_MS = 30_000;
const BUSY_SECONDS = 2;

/** A document in the store, and how its speakers are called. */
export interface RenderSource {
  documentKey: string;
  names: SpeakerNames;
}

/** Reads and writes transcripts away from the event loop, within bounds of size, number, time and memory. */
@Injectable()
export class TranscriptRenderer implements OnApplicationShutdown {
  private readonly threads = new ThreadPool({
    script: new URL('./render.worker.js', import.meta.url),
    // One processor is left to the event loop.
    maxThreads: Math.max(1, Math.min(MOST_THREADS, availableParallelism() - 1)),
    maxQueuedTasks: MOST_WAITING,
    taskTimeoutMs: TASK_MS,
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: 1_024 },
  });
  private unsentBytes = 0;

  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  /**
   * The document in a format, with the names in it.
   * @param reader where the file will be sent; it counts as unsent until that closes
   * @throws ServiceError `transcript_too_large`; `service_unavailable` while too much else is being written
   */
  async renderFile(
    { documentKey, names }: RenderSource,
    format: OutputType,
    reader: Writable,
  ): Promise<Buffer> {
    if (this.unsentBytes > MOST_UNSENT_BYTES) throw rendererBusyError();
    const bytes = await this.runTask<'file'>(
      documentKey,
      (document) => ({ kind: 'file', document, format, names }),
      () => !reader.closed,
    );
    if (!reader.closed) {
      this.unsentBytes += bytes.byteLength;
      reader.once('close', () => (this.unsentBytes -= bytes.byteLength));
    }
    return Buffer.from(bytes);
  }

  /** The labels of the document's speakers, in its order. Refusals as of `file`. */
  readSpeakerLabels(documentKey: string): Promise<string[]> {
    return this.runTask<'speakers'>(documentKey, (document) => ({ kind: 'speakers', document }));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }

  /** @param wanted asked when a thread is free: who waited for it may have left */
  private async runTask<K extends RenderTask['kind']>(
    documentKey: string,
    taskOf: (document: ArrayBuffer) => RenderTask & { kind: K },
    wanted = () => true,
  ): Promise<RenderResults[K]> {
    try {
      return await this.threads.run<RenderResults[K]>(async () => {
        if (!wanted()) throw rendererBusyError();
        const document = await this.loadDocument(documentKey);
        return { message: taskOf(document), transfer: [document] };
      });
    } catch (error) {
      if (error instanceof ThreadPoolBusyError) throw rendererBusyError();
      throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(error) : error;
    }
  }

  private async loadDocument(key: string): Promise<ArrayBuffer> {
    const size = (await this.store.head(key))?.size ?? 0;
    if (size > MOST_DOCUMENT_BYTES) throw tooLarge();
    return arrayBuffer(await this.store.get(key));
  }
}

function rendererBusyError(): ServiceError {
  return new ServiceError('service_unavailable', {
    detail: 'Too many transcripts are being written at the moment.',
    retryAfter: BUSY_SECONDS,
  });
}

function tooLarge(cause?: unknown): ServiceError {
  return new ServiceError('transcript_too_large', {
    detail: 'It is longer than what is read at once. Its download_url serves it as it was stored.',
    cause,
  });
}
