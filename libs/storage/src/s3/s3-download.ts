import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { StoreUnavailableError } from '../store-errors.js';
import { temporarySiblingPath } from '../temporary-sibling-path.js';
import { mapS3Error } from './s3-errors.js';

interface S3DownloadOptions {
  /** Milliseconds without a byte after which the store counts as unavailable. */
  idleTimeoutMs: number;
  /** Its reason replaces the errors after it was aborted. */
  signal?: AbortSignal | undefined;
}

/**
 * The body of a response, with its errors mapped. Only time spent waiting for the store counts, never a slow reader: the timeout
 * of a socket cannot tell them apart.
 */
export class S3Download extends Readable {
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly body: Readable,
    private readonly options: S3DownloadOptions,
  ) {
    super();
    body.pause();
    body.on('data', (chunk: Uint8Array) => this.receive(chunk));
    body.on('end', () => {
      clearTimeout(this.idleTimer);
      this.push(null);
    });
    body.on('error', (error) => this.destroy(mapS3Error(error, options.signal) as Error));
  }

  override _read(): void {
    this.waitForStore();
    this.body.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.idleTimer);
    this.body.destroy();
    done(error);
  }

  private receive(chunk: Uint8Array): void {
    if (this.push(chunk)) return this.waitForStore();
    clearTimeout(this.idleTimer);
    this.body.pause();
  }

  private waitForStore(): void {
    clearTimeout(this.idleTimer);
    const { idleTimeoutMs } = this.options;
    this.idleTimer = setTimeout(
      () => this.destroy(new StoreUnavailableError(`The object store sent nothing for ${idleTimeoutMs} ms.`)),
      idleTimeoutMs,
    );
  }
}

/** The SDK reads the body of an error itself, and would wait for its rest without an end. */
export function limitWaitForErrorBodies(client: S3Client, idleTimeoutMs: number): void {
  client.middlewareStack.add(
    (next) => async (input) => {
      const result = await next(input);
      const response = result.response as { statusCode: number; body: Readable };
      if (response.statusCode >= 300) response.body = new S3Download(response.body, { idleTimeoutMs });
      return result;
    },
    // Before the SDK reads the body.
    { step: 'deserialize', priority: 'low', name: 'limitWaitForErrorBodies' },
  );
}

/** Replaces the file, or leaves it unchanged on failure. @throws the reason of `signal`; errors of the local disk unchanged */
export async function writeDownloadToFile(body: Readable, path: string, signal?: AbortSignal): Promise<void> {
  const temporary = temporarySiblingPath(path);
  try {
    const file = createWriteStream(temporary, { flags: 'wx', mode: 0o600 });
    await pipeline(body, file, { signal });
    await rename(temporary, path);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
