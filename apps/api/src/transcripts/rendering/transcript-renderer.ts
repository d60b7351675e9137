import { availableParallelism } from 'node:os';
import { arrayBuffer } from 'node:stream/consumers';
import type { Writable } from 'node:stream';
import { ThreadPool, ThreadPoolBusyError } from '@app/async';
import { ServiceError } from '@app/errors';
import { OBJECT_STORE_TOKEN, type ObjectStore } from '@app/storage';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ConcurrencyLimiter } from '../../admission/concurrency-limiter.js';
import { RenderedFileCache } from './rendered-file-cache.js';
import type {
  RenderFileOptions,
  RenderResultByTaskKind,
  RenderTask,
  TranscriptTextDeltas,
  TranscriptionResponseParams,
  TranscriptSpeakerLabelsAndSegmentCount,
} from './run-render-task.js';

const MIB = 1024 * 1024;

/** About 170,000 words, or 19 hours of speech. */
const MAX_DOCUMENT_BYTES = 32 * MIB;
/** Tasks of one account that run or wait, so that others find room. */
const MAX_TASKS_PER_ACCOUNT = 4;
const CACHE_OPTIONS = { maxBytes: 64 * MIB, maxFileBytes: 16 * MIB };
/** Rendered files that clients have not read yet; above this, requests are rejected. */
const MAX_UNSENT_BYTES = 256 * MIB;
const MAX_THREADS = 2;
const MAX_QUEUED_TASKS = 16;
const TASK_TIMEOUT_MS = 60_000;
const IDLE_TIMEOUT_MS = 30_000;
const BUSY_RETRY_AFTER_SECONDS = 2;

export interface TranscriptDocumentLocation {
  accountId: string;
  documentKey: string;
}

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
  private readonly tasks = new ConcurrencyLimiter({
    resource: 'transcripts being written',
    ownerKind: 'account',
    maxTotal: MAX_QUEUED_TASKS + MAX_THREADS,
    maxPerOwner: MAX_TASKS_PER_ACCOUNT,
  });
  private readonly cache = new RenderedFileCache(CACHE_OPTIONS);
  private unsentBytes = 0;

  constructor(@Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore) {}

  /**
   * Renders the stored document in a format with the speaker names. A stored document never changes, so the file is kept.
   * @param reader receives the file, which counts as unsent until it closes
   * @throws ServiceError `transcript_too_large`; `concurrency_limit_exceeded` for the account; `service_unavailable` while
   * the renderer is busy
   */
  async renderFile(
    { accountId, documentKey }: TranscriptDocumentLocation,
    options: RenderFileOptions,
    reader: Writable,
  ): Promise<Buffer> {
    if (this.unsentBytes > MAX_UNSENT_BYTES) throw rendererBusyError();
    const file = await this.cache.get(JSON.stringify([documentKey, options]), () =>
      this.tasks.run(accountId, async () => {
        const createTask = (document: ArrayBuffer) => ({ kind: 'file', document, ...options }) as const;
        return Buffer.from(await this.runTask<'file'>(documentKey, createTask));
      }),
    );
    if (!reader.closed) {
      this.unsentBytes += file.length;
      reader.once('close', () => (this.unsentBytes -= file.length));
    }
    return file;
  }

  /**
   * Renders what an open request has waited for. No limit of the account: the request itself was counted.
   * @throws ServiceError `transcript_too_large`; `service_unavailable` while the renderer is busy
   */
  async renderText(documentKey: string): Promise<string> {
    const createTask = (document: ArrayBuffer) =>
      ({ kind: 'file', document, format: 'txt', names: {} }) as const;
    return Buffer.from(await this.runTask<'file'>(documentKey, createTask)).toString('utf8');
  }

  /** Like `renderText`, as an OpenAI-compatible response. */
  renderTranscription(
    documentKey: string,
    params: TranscriptionResponseParams,
  ): Promise<RenderResultByTaskKind['transcription']> {
    const createTask = (document: ArrayBuffer) => ({ kind: 'transcription', document, params }) as const;
    return this.runTask<'transcription'>(documentKey, createTask);
  }

  /** Like `renderText`, for a streamed response. */
  renderDeltas(documentKey: string): Promise<TranscriptTextDeltas> {
    return this.runTask<'deltas'>(documentKey, (document) => ({ kind: 'deltas', document }));
  }

  /** Throws like `renderFile`. */
  readOutline({
    accountId,
    documentKey,
  }: TranscriptDocumentLocation): Promise<TranscriptSpeakerLabelsAndSegmentCount> {
    const createTask = (document: ArrayBuffer) => ({ kind: 'outline', document }) as const;
    return this.tasks.run(accountId, () => this.runTask<'outline'>(documentKey, createTask));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }

  private async runTask<K extends RenderTask['kind']>(
    documentKey: string,
    createTask: (document: ArrayBuffer) => RenderTask & { kind: K },
  ): Promise<RenderResultByTaskKind[K]> {
    try {
      return await this.threads.run<RenderResultByTaskKind[K]>(async () => {
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
