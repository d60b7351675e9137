import type { ReportedPart } from '../types.js';

/** What another process needs to continue an upload. Plain JSON, without secrets. */
export interface UploadState {
  version: 1;
  /** Key of the create, whose response the service replays for 24 hours. */
  idempotencyKey: string;
  /** Fingerprint of the audio, if known. */
  fingerprint?: string;
  jobId?: string;
  /** That have been stored, of a multipart upload. */
  parts: ReportedPart[];
  /** The job is queued: there is nothing left to send. */
  completed: boolean;
}

/** Keeps the state of one upload. */
export interface UploadStateStore {
  /** @returns undefined if there is none */
  load(): Promise<UploadState | undefined>;
  save(state: UploadState): Promise<void>;
  clear(): Promise<void>;
}

/** @returns undefined if the value is no state of this version */
export function parseUploadState(text: string): UploadState | undefined {
  try {
    const state = JSON.parse(text) as Partial<UploadState> | null;
    const isState =
      state?.version === 1 && typeof state.idempotencyKey === 'string' && Array.isArray(state.parts);
    return isState ? (state as UploadState) : undefined;
  } catch {
    return undefined;
  }
}

/** For browsers: keeps the state in `localStorage`, or a storage of the same kind. */
export function uploadStateInStorage(
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  key: string,
): UploadStateStore {
  return {
    load: () => Promise.resolve(parseUploadState(storage.getItem(key) ?? '')),
    save: (state) => Promise.resolve(storage.setItem(key, JSON.stringify(state))),
    clear: () => Promise.resolve(storage.removeItem(key)),
  };
}
