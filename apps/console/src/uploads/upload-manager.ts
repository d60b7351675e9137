import pTimeout from 'p-timeout';
import { isSessionOutdatedError } from '../api/client.ts';
import { createId } from '../lib/create-id.ts';
import { matchesFingerprint } from './digest.ts';
import { REPLACED, runUpload } from './run-upload.ts';
import { deleteStoredItem, findStoredItem, UPLOADS_DELETED_EVENT } from './upload-database.ts';
import { saveUploadRecord, BROWSER_UPLOAD_DEPENDENCIES } from './upload-dependencies.ts';
import { withUploadLock } from './upload-lock.ts';
import {
  isSessionProblem,
  isUnreadableFileError,
  mayUploadContinueAfter,
  toUploadProblem,
} from './upload-problem.ts';
import type { UploadRecord } from './upload-record.ts';
import {
  findFileCopy,
  loadUploadsAndDeleteOld,
  saveAudioRecordOfSentJob,
  saveFileCopyIfRoom,
  markStoredUploadPaused,
} from './upload-storage.ts';
import { toUploadWithProgress, type UploadWithProgress } from './upload-with-progress.ts';

const MAX_RUNNING = 2;
/** A storage that does not respond does not keep an upload from being paused. */
const MAX_SAVE_MS = 1_000;

class Paused extends Error {
  override readonly name = 'Paused';
}

/** The session shows another account, or none: the upload waits for its own. */
class OtherSession extends Error {
  override readonly name = 'OtherSession';
}

interface Callbacks {
  /** The account and user of the session. */
  readOwner: () => string | null;
  /** The session has ended, or shows another account. */
  onSessionChanged: () => void;
}

/** The uploads of this browser. They go on while other pages are shown, and after the tab was loaded again. */
export class UploadManager {
  private views: readonly UploadWithProgress[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly files = new Map<string, File>();
  private readonly running = new Map<string, AbortController>();
  /** Tells the other tabs of the browser which upload was paused. */
  private readonly tabs = new BroadcastChannel('paused-uploads');
  /** Uploads that are paused as stored, but were resumed in this tab. */
  private readonly resumed = new Set<string>();

  constructor(private readonly callbacks: Callbacks) {
    this.tabs.addEventListener('message', ({ data }) => void this.pauseInThisTab(String(data)));
    globalThis.addEventListener(UPLOADS_DELETED_EVENT, () => {
      this.setViews([]);
      this.stopHidden();
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getViews = (): readonly UploadWithProgress[] => this.views;

  /** Shows the uploads of the session's account, and continues those that the user did not pause. */
  async open(): Promise<void> {
    const owner = this.callbacks.readOwner();
    this.setViews(this.views.filter((view) => view.owner === owner));
    this.stopHidden();
    const records = await loadUploadsAndDeleteOld().catch(() => []);
    // Another call shows what belongs to the session of now.
    if (this.callbacks.readOwner() !== owner) return;
    const added = records.filter((record) => record.owner === owner && !this.find(record.id));
    this.setViews([...this.views, ...added.map(toUploadWithProgress)]);
    for (const { id, state, problem } of this.views) {
      const isRunning = this.running.has(id);
      const wasInterrupted = state === 'stopped' && isSessionProblem(problem);
      if (!isRunning && (state === 'sending' || wasInterrupted))
        this.change(id, { state: 'waiting', problem: null });
    }
    this.startWaiting();
  }

  /** Adds uploads, newest first, and starts them. */
  async add(uploads: readonly { record: UploadRecord; file: File }[]): Promise<void> {
    this.setViews([...uploads.map(({ record }) => toUploadWithProgress(record)), ...this.views]);
    for (const { record, file } of uploads) {
      this.files.set(record.id, file);
      // Not awaited: a browser whose storage does not respond can send files.
      void saveUploadRecord(record).catch(() => undefined);
    }
    this.startWaiting();
    for (const { record, file } of uploads) await saveFileCopyIfRoom(record.id, file);
  }

  /** Adds a job that needs no upload. */
  async addJob(record: UploadRecord): Promise<void> {
    this.setViews([toUploadWithProgress(record), ...this.views]);
    await saveUploadRecord(record).catch(() => undefined);
  }

  pause(id: string): void {
    // A channel has no target.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.tabs.postMessage(id);
    void this.pauseInThisTab(id);
  }

  resume(id: string): void {
    this.resumed.add(id);
    this.change(id, { state: 'waiting', problem: null });
    this.startWaiting();
  }

  /** Sends the file of a failed upload again, to another job unless its job has the audio. */
  async retryWithAnotherJob(id: string): Promise<void> {
    const view = this.find(id);
    if (!view) return;
    this.change(id, { plan: view.plan && { ...view.plan, expiresAt: REPLACED }, idempotencyKey: createId() });
    // A run reads what is stored.
    await waitForSave(this.saveShown(id));
    this.resume(id);
  }

  /** Takes an upload from the list, and cancels it if it is not sent. */
  async remove(id: string): Promise<void> {
    const view = this.find(id);
    this.setViews(this.views.filter((each) => each.id !== id));
    this.running.get(id)?.abort(new Paused());
    await deleteStoredItem('uploads', id).catch(() => undefined);
    if (!view || view.state === 'sent') return;
    await deleteStoredItem('files', id).catch(() => undefined);
    if (view.plan) await BROWSER_UPLOAD_DEPENDENCIES.abortUpload(view.plan.jobId).catch(() => undefined);
  }

  /** Sends the file of a rejected upload again, with other options. */
  async sendWithOtherOptions(id: string, record: UploadRecord): Promise<void> {
    const file = this.files.get(id) ?? (await findFileCopy(id));
    await this.remove(id);
    if (file) return this.add([{ record, file }]);
    const missing: UploadRecord = { ...record, state: 'file_missing' };
    this.setViews([toUploadWithProgress(missing), ...this.views]);
    await saveUploadRecord(missing).catch(() => undefined);
  }

  /** @returns false if it is another file than the one that was chosen first */
  async attachFile(id: string, file: File): Promise<boolean> {
    const view = this.find(id);
    if (!view) return false;
    const fingerprint = {
      size: view.fileSize,
      partSize: view.plan?.partSize ?? view.fileSize,
      digests: view.parts.map(({ digest }) => digest),
    };
    if (!(await matchesFingerprint(file, fingerprint))) return false;
    this.files.set(id, file);
    this.resume(id);
    return true;
  }

  /** Ends uploads of another account or user. Nothing of them is saved any more. */
  private stopHidden(): void {
    for (const [id, controller] of this.running) if (!this.find(id)) controller.abort(new Paused());
  }

  private startWaiting(): void {
    const sessionOwner = this.callbacks.readOwner();
    for (const { id, state, owner } of this.views.toReversed()) {
      if (this.running.size >= MAX_RUNNING) return;
      if (state === 'waiting' && owner === sessionOwner && !this.running.has(id)) void this.run(id);
    }
  }

  private async run(id: string): Promise<void> {
    const controller = new AbortController();
    this.running.set(id, controller);
    try {
      await withUploadLock(id, controller.signal, () => this.runLocked(id, controller.signal));
    } catch (error) {
      this.showError(id, error);
    } finally {
      this.running.delete(id);
      this.startWaiting();
    }
  }

  private async runLocked(id: string, signal: AbortSignal): Promise<void> {
    const view = this.find(id);
    // Another tab may have sent parts, or all, while this one waited for the lock.
    const record = (await findStoredItem('uploads', id).catch(() => undefined)) ?? view;
    if (!view || !record) return;
    // Paused by another tab, or by this one while the lock was being given.
    const isPaused = record.state === 'paused' && !this.resumed.has(id);
    if (record.state === 'sent' || isPaused || view.state === 'paused')
      return this.change(id, { ...record, state: record.state === 'sent' ? 'sent' : 'paused' });
    this.resumed.delete(id);
    const file = this.files.get(id) ?? (await findFileCopy(id));
    if (!file) return this.change(id, { state: 'file_missing' });
    const sentBytes = Math.min(file.size, record.parts.length * (record.plan?.partSize ?? 0));
    this.change(id, { ...record, state: 'sending', problem: null, sentBytes });
    const sent = await runUpload({ ...record, state: 'sending' }, file, this.createPorts(id), signal);
    this.change(id, sent);
    if (this.find(id)) await saveAudioRecordOfSentJob(sent);
  }

  private createPorts(id: string) {
    const assertOwner = () => {
      if (this.callbacks.readOwner() !== this.find(id)?.owner) throw new OtherSession();
    };
    const asOwner =
      <Args extends unknown[], T>(send: (...args: Args) => Promise<T>) =>
      async (...args: Args): Promise<T> => {
        assertOwner();
        return send(...args);
      };
    const { createJob, completeUpload, findJob, abortUpload } = BROWSER_UPLOAD_DEPENDENCIES;
    return {
      ...BROWSER_UPLOAD_DEPENDENCIES,
      createJob: asOwner(createJob),
      completeUpload: asOwner(completeUpload),
      findJob: asOwner(findJob),
      abortUpload: asOwner(abortUpload),
      save: async (record: UploadRecord) => {
        // A removed upload must not come back.
        if (!this.find(id)) return;
        const { plan, parts, state, idempotencyKey } = record;
        // What was paused meanwhile is not saved as being sent.
        const end = state === 'sent' && { state, problem: null };
        this.change(id, { plan, parts, idempotencyKey, ...end });
        await this.saveShown(id);
      },
      onProgress: (sentBytes: number) => this.change(id, { sentBytes }),
      onRetry: (retry: { error: unknown; delayMs: number } | null) => {
        if (retry === null && this.find(id)?.retry === null) return;
        this.change(id, {
          retry: retry && { message: toUploadProblem(retry.error).message, at: Date.now() + retry.delayMs },
        });
      },
    };
  }

  private showError(id: string, error: unknown): void {
    const view = this.find(id);
    if (!view) return;
    if (error instanceof Paused) {
      // Resumed before the run has ended: another run follows.
      if (view.state !== 'paused' && !this.resumed.has(id)) this.change(id, { state: 'paused', retry: null });
    } else if (error instanceof OtherSession) {
      if (view.state === 'sending') this.change(id, { state: 'waiting', retry: null });
    } else if (isUnreadableFileError(error)) {
      this.files.delete(id);
      this.change(id, { state: 'file_missing', retry: null });
    } else {
      const problem = toUploadProblem(error);
      this.change(id, { state: mayUploadContinueAfter(error) ? 'stopped' : 'failed', problem, retry: null });
      if (isSessionOutdatedError(error)) this.callbacks.onSessionChanged();
    }
    void this.saveShown(id);
  }

  private async pauseInThisTab(id: string): Promise<void> {
    const view = this.find(id);
    if (!view || !['waiting', 'sending', 'stopped'].includes(view.state)) return;
    this.resumed.delete(id);
    this.change(id, { state: 'paused', retry: null });
    const run = this.running.get(id);
    // Before the lock of the upload is free: a tab that waits for it reads what is stored.
    const saved = view.state === 'sending' ? this.saveShown(id) : markStoredUploadPaused(id);
    await waitForSave(saved);
    run?.abort(new Paused());
  }

  private async saveShown(id: string): Promise<void> {
    const view = this.find(id);
    if (!view) return;
    const { sentBytes: _, retry: __, ...record } = view;
    await saveUploadRecord(record).catch(() => undefined);
  }

  private find(id: string): UploadWithProgress | undefined {
    return this.views.find((view) => view.id === id);
  }

  private change(id: string, changes: Partial<UploadWithProgress>): void {
    this.setViews(this.views.map((view) => (view.id === id ? { ...view, ...changes } : view)));
  }

  private setViews(views: readonly UploadWithProgress[]): void {
    this.views = views;
    for (const listener of this.listeners) listener();
  }
}

function waitForSave(saved: Promise<void>): Promise<void> {
  return pTimeout(saved, { milliseconds: MAX_SAVE_MS, fallback: () => undefined });
}
