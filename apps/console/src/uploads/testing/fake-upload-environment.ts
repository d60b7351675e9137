import { vi } from 'vitest';
import { DEFAULT_JOB_OPTIONS_FORM_VALUES } from '../../jobs/job-options.ts';
import { createFileUploadRecord } from '../create-record.ts';
import { stopUploadsAndDeleteUploadDatabase } from '../upload-database.ts';
import type { UploadRecord } from '../upload-record.ts';
import { MemoryDatabase } from './memory-database.ts';
import { MemoryLocks } from './memory-locks.ts';

export const ADA = 'account-a/ada';
export const PARTS = 3;
export const PART_BYTES = 4;

/** A busy machine takes longer than the second of `vi.waitFor`. */
export const WAIT_OPTIONS = { timeout: 20_000 };

/** The browser of a user, the service and its object store, as far as uploads use them. */
export class FakeUploadEnvironment {
  readonly database = new MemoryDatabase();
  private readonly locks = new MemoryLocks();
  owner: string | null = ADA;
  readonly sentParts: string[] = [];
  /** The request for this part gets no response until `released` resolves. */
  held: { part: string; released: Promise<void> } | null = null;
  statusOfPart: (url: string) => number = () => 200;
  /** An aborted part request ends once this resolves. */
  onAbort: () => Promise<void> = async () => undefined;
  /** Of requests that create a job. */
  readonly idempotencyKeys: string[] = [];
  /** The fake service creates jobs once this resolves. */
  creation: Promise<void> = Promise.resolve();
  /** What the service says of a job whose upload is aborted. */
  abortedStatus = 'aborted';
  /** Statuses of the next responses to requests that abort an upload; 200 without one. */
  readonly abortStatuses: number[] = [];
  /** Jobs whose upload was to be aborted. */
  readonly aborted: string[] = [];
  readonly completed: string[] = [];
  readonly window = new EventTarget();

  /** Replaces the globals. */
  install(): void {
    const { window } = this;
    vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
    vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
    vi.stubGlobal('dispatchEvent', window.dispatchEvent.bind(window));
    vi.stubGlobal('document', { baseURI: 'https://service.example/console/', visibilityState: 'visible' });
    this.setNavigator(1e9, true);
    vi.stubGlobal('BroadcastChannel', createBroadcastChannelClass());
    vi.stubGlobal('XMLHttpRequest', createPartRequestClass(this));
    vi.stubGlobal(
      'fetch',
      async (url: URL, { body, headers }: { body?: string; headers: Record<string, string> }) =>
        body === undefined
          ? Response.json({ failed_stage: null })
          : this.answer(url.pathname, JSON.parse(body) as Record<string, string>, headers),
    );
    vi.stubGlobal('indexedDB', {
      open: () => {
        const request = Object.assign(new EventTarget(), { result: this.database });
        queueMicrotask(() => request.dispatchEvent(new Event('success')));
        return request;
      },
      deleteDatabase: vi.fn(),
    });
    stopUploadsAndDeleteUploadDatabase();
  }

  setNavigator(quota: number, onLine: boolean): void {
    const storage = { estimate: async () => ({ quota, usage: 0 }) };
    vi.stubGlobal('navigator', { storage, onLine, locks: this.locks });
  }

  /** @returns a function that lets the part arrive */
  holdPart(part: string): () => void {
    let release = () => {};
    this.held = { part, released: new Promise((resolve) => (release = resolve)) };
    return release;
  }

  untilPartIsSent(part: string): Promise<void> {
    return vi.waitFor(() => {
      if (!this.sentParts.includes(part)) throw new Error(`${part} is not sent.`);
    }, WAIT_OPTIONS);
  }

  private async answer(
    path: string,
    body: Record<string, string>,
    headers: Record<string, string>,
  ): Promise<Response> {
    if (path.endsWith('multipart/create')) {
      const key = headers['idempotency-key'] ?? '';
      this.idempotencyKeys.push(key);
      await this.creation;
      const parts = Array.from({ length: PARTS }, (_, at) => ({ part_number: at + 1, url: `${key}/${at}` }));
      return Response.json({ job_id: `job-of-${key}`, part_size: PART_BYTES, parts, expires_in: 86_400 });
    }
    if (path.endsWith('multipart/abort')) {
      this.aborted.push(body['job_id'] ?? '');
      const status = this.abortStatuses.shift() ?? 200;
      return Response.json(status === 200 ? { status: this.abortedStatus } : {}, { status });
    }
    if (path.endsWith('multipart/complete')) this.completed.push(body['job_id'] ?? '');
    return Response.json({});
  }
}

export function createUpload(name: string, owner = ADA): { record: UploadRecord; file: File } {
  const file = new File(['aaaabbbbc'], name);
  return { record: createFileUploadRecord(owner, file, DEFAULT_JOB_OPTIONS_FORM_VALUES), file };
}

/** Messages between tabs. */
function createBroadcastChannelClass() {
  const channels: EventTarget[] = [];
  return class extends EventTarget {
    constructor() {
      super();
      channels.push(this);
    }

    postMessage(data: unknown): void {
      for (const channel of channels)
        if (channel !== this)
          queueMicrotask(() => channel.dispatchEvent(new MessageEvent('message', { data })));
    }
  };
}

/** Requests to the object store: parts are answered unless they are held. */
function createPartRequestClass(environment: FakeUploadEnvironment) {
  return class extends EventTarget {
    readonly upload = new EventTarget();
    readonly responseText = '';
    status = 0;
    url = '';

    open(_method: string, url: string): void {
      this.url = url;
    }

    send(): void {
      environment.sentParts.push(this.url);
      const { part, released } = environment.held ?? {};
      if (this.url !== part) queueMicrotask(() => this.answer());
      else void released?.then(() => this.answer());
    }

    abort(): void {
      void this.end(environment.onAbort());
    }

    async end(ended: Promise<void>): Promise<void> {
      await ended;
      this.dispatchEvent(new Event('abort'));
      this.dispatchEvent(new Event('loadend'));
    }

    getResponseHeader(name: string): string | null {
      return name === 'etag' && this.status === 200 ? '"e"' : null;
    }

    answer(): void {
      this.status = environment.statusOfPart(this.url);
      this.dispatchEvent(new Event('load'));
      this.dispatchEvent(new Event('loadend'));
    }
  };
}
