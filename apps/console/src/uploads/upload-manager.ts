import pTimeout from 'p-timeout';
import { isSessionOutdatedError } from '../api/client.ts';
import { createRandomHexId } from '../lib/create-id.ts';
import { createUploadRunDependencies } from './create-upload-run-dependencies.ts';
import { assertReadable } from './digest.ts';
import { OtherSessionError, UploadPausedOrRemovedError } from './interruptions.ts';
import { OtherTabs } from './other-tabs.ts';
import { REPLACED_PLAN_EXPIRES_AT, runUpload } from './run-upload.ts';
import { RemovedUploadCleanup } from './removed-upload-cleanup.ts';
import { deleteStoredItem, findStoredItem, UPLOADS_DELETED_EVENT } from './upload-database.ts';
import { saveUploadRecord } from './upload-dependencies.ts';
import { UploadFiles } from './upload-files.ts';
import { UploadList } from './upload-list.ts';
import { withUploadLock } from './upload-lock.ts';
import {
  isCreditProblem,
  isSessionProblem,
  isUnreadableFileError,
  mayUploadContinueAfter,
  toUploadProblem,
} from './upload-problem.ts';
import type { UploadRecord } from './upload-record.ts';
import {
  deleteBrowserDataOfJob,
  isSentUploadOfJob,
  loadUploadsAndDeleteOld,
  markStoredUploadPaused,
  saveAudioRecordOfSentJob,
} from './upload-storage.ts';
import { toUploadRecord, toUploadWithProgress } from './upload-with-progress.ts';

const MAX_RUNNING = 2;
/** After it, uploads that a temporary error has stopped are tried again. */
const RESTART_MS = 180_000;
/** Of the window, after which the connection may be back. */
const RESTART_EVENTS = ['online', 'visibilitychange'];
/** A storage that does not respond does not keep an upload from being paused. */
const MAX_SAVE_MS = 1_000;

interface Callbacks {
  /** The account and user of the session. */
  readOwner: () => string | null;
  /** The session has ended, or shows another account. */
  onSessionChanged: () => void;
}

interface NewUpload {
  record: UploadRecord;
  file: File;
}

/** The uploads of this browser. They go on while other pages are shown, and after the tab was loaded again. */
export class UploadManager {
  private readonly list = new UploadList();
  private readonly files = new UploadFiles();
  private readonly running = new Map<string, AbortController>();
  private readonly otherTabs = new OtherTabs({
    pause: (id) => void this.pauseInThisTab(id),
    cancel: (id) => void this.cancelInThisTab(id),
  });
  /** Uploads that are paused as stored, but were resumed in this tab. */
  private readonly resumed = new Set<string>();

  private readonly removedUploads: RemovedUploadCleanup;
  private deletionController = new AbortController();

  constructor(private readonly callbacks: Callbacks) {
    this.removedUploads = new RemovedUploadCleanup(callbacks.readOwner);
    for (const name of RESTART_EVENTS) globalThis.addEventListener(name, this.restartStopped);
    globalThis.addEventListener(UPLOADS_DELETED_EVENT, () => {
      this.list.set([]);
      this.stopHidden();
      this.deletionController.abort();
      this.deletionController = new AbortController();
    });
  }

  /** Aborts when somebody signs out in this browser. */
  get deletion(): AbortSignal {
    return this.deletionController.signal;
  }

  readonly subscribe = this.list.subscribe;
  readonly getViews = this.list.getViews;

  /** Shows the uploads of the session's account, and continues those that the user did not pause. */
  async open(): Promise<void> {
    const owner = this.callbacks.readOwner();
    this.list.set(this.getViews().filter((view) => view.owner === owner));
    this.stopHidden();
    const records = await loadUploadsAndDeleteOld().catch(() => []);
    // Another call shows what belongs to the session of now.
    if (this.callbacks.readOwner() !== owner) return;
    const ofOwner = records.filter((record) => record.owner === owner);
    const remaining = this.removedUploads.endJobs(ofOwner, this.deletion);
    const added = remaining.filter(({ id }) => !this.list.find(id));
    this.list.set([...this.getViews(), ...added.map(toUploadWithProgress)]);
    for (const { id, state, problem } of this.getViews()) {
      const wasInterrupted = state === 'stopped' && !isCreditProblem(problem);
      if (!this.running.has(id) && (state === 'sending' || wasInterrupted))
        this.list.change(id, { state: 'waiting', problem: null });
    }
    this.startWaiting();
  }

  /** Adds uploads, newest first, and starts those that wait. */
  async add(uploads: readonly NewUpload[]): Promise<void> {
    this.list.addFirst(...uploads.map(({ record }) => toUploadWithProgress(record)));
    for (const { record, file } of uploads) {
      this.files.add(record.id, file);
      // Not awaited: a browser whose storage does not respond can send files.
      void saveUploadRecord(record).catch(() => undefined);
    }
    this.startWaiting();
    for (const { record } of uploads) await this.files.copyIfRoom(record.id);
  }

  /** Adds uploads that wait until the user resumes them. */
  addPaused(uploads: readonly NewUpload[]): Promise<void> {
    return this.add(uploads.map(({ record, file }) => ({ record: { ...record, state: 'paused' }, file })));
  }

  /** Adds a job that needs no upload, or one whose file is to be chosen again. */
  async addWithoutFile(record: UploadRecord): Promise<void> {
    this.list.addFirst(toUploadWithProgress(record));
    await saveUploadRecord(record).catch(() => undefined);
  }

  /** Whether the end of the tab interrupts an upload that a later one cannot continue, or loses a recording. */
  hasAudioOnlyInTab(): boolean {
    return this.getViews().some((view) => this.files.isLostWithTab(view));
  }

  pause(id: string): void {
    this.otherTabs.tell('pause', id);
    void this.pauseInThisTab(id);
  }

  resume(id: string): void {
    this.resumed.add(id);
    this.list.change(id, { state: 'waiting', problem: null });
    this.startWaiting();
  }

  /** Sends the file of a failed upload again, to another job unless its job has the audio. */
  async retryWithAnotherJob(id: string): Promise<void> {
    const view = this.list.find(id);
    if (!view) return;
    this.list.change(id, {
      plan: view.plan && { ...view.plan, expiresAt: REPLACED_PLAN_EXPIRES_AT },
      idempotencyKey: createRandomHexId(),
    });
    // A run reads what is stored.
    await waitForSave(this.saveListedUpload(id));
    this.resume(id);
  }

  /** Takes an upload from the list, and cancels it if it is not sent: in every tab unless it has failed. */
  async remove(id: string): Promise<void> {
    const state = this.list.find(id)?.state;
    // Another tab may have sent what failed here again.
    if (state !== 'sent' && state !== 'failed') this.otherTabs.tell('cancel', id);
    if (state !== 'sent') return this.cancelInThisTab(id);
    this.list.remove(id);
    await deleteStoredItem('uploads', id).catch(() => undefined);
  }

  /** Forgets the upload and the audio of a job that was deleted. */
  async forgetJob(jobId: string): Promise<void> {
    this.list.set(this.getViews().filter((view) => !isSentUploadOfJob(view, jobId)));
    await deleteBrowserDataOfJob(jobId).catch(() => undefined);
  }

  /** Sends the file of a rejected upload again, with other options. */
  async sendWithOtherOptions(id: string, record: UploadRecord): Promise<void> {
    const file = await this.files.find(id);
    await this.remove(id);
    if (file) return this.add([{ record, file }]);
    await this.addWithoutFile({ ...record, state: 'file_missing' });
  }

  /** @returns false if it is another file than the one that was chosen first */
  async attachFile(id: string, file: File): Promise<boolean> {
    const view = this.list.find(id);
    if (!view || !(await this.files.addIfSame(view, file))) return false;
    this.resume(id);
    return true;
  }

  /** Ends uploads of another account or user. Nothing of them is saved any more. */
  private stopHidden(): void {
    for (const [id, controller] of this.running)
      if (!this.list.find(id)) controller.abort(new OtherSessionError());
  }

  private readonly restartStopped = (): void => {
    for (const { id, state, problem } of this.getViews())
      if (state === 'stopped' && !isCreditProblem(problem) && !isSessionProblem(problem))
        this.list.change(id, { state: 'waiting', problem: null });
    this.startWaiting();
  };

  private startWaiting(): void {
    const sessionOwner = this.callbacks.readOwner();
    for (const { id, state, owner } of this.getViews().toReversed()) {
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
    const view = this.list.find(id);
    // Another tab may have sent parts, or all, while this one waited for the lock.
    const record = (await findStoredItem('uploads', id).catch(() => undefined)) ?? view;
    if (!view || !record) return;
    // Removed in another tab.
    if (record.isCancelled) return this.list.remove(id);
    // Paused by another tab, or by this one while the lock was being given.
    const isPaused = record.state === 'paused' && !this.resumed.has(id);
    if (record.state === 'sent' || isPaused || view.state === 'paused')
      return this.list.change(id, { ...record, state: record.state === 'sent' ? 'sent' : 'paused' });
    this.resumed.delete(id);
    const file = await this.files.find(id);
    if (!file) return this.list.change(id, { state: 'file_missing' });
    const sentBytes = Math.min(file.size, record.parts.length * (record.plan?.partSize ?? 0));
    this.list.change(id, { ...record, state: 'sending', problem: null, sentBytes });
    // Before a job is created that could get no audio.
    if (!record.plan) await assertReadable(file, signal);
    const dependencies = createUploadRunDependencies(id, {
      list: this.list,
      readOwner: this.callbacks.readOwner,
      saveListedUpload: this.saveListedUpload,
      onJobCreated: (created, plan) => this.removedUploads.endJobIfRemoved(created, plan, this.deletion),
    });
    const sent = await runUpload({ ...record, state: 'sending' }, file, dependencies, signal);
    this.list.change(id, sent);
    if (this.list.find(id)) await saveAudioRecordOfSentJob(sent);
  }

  private showError(id: string, error: unknown): void {
    const view = this.list.find(id);
    if (!view) return;
    if (error instanceof UploadPausedOrRemovedError) {
      // Resumed before the run has ended: another run follows.
      if (view.state !== 'paused' && !this.resumed.has(id))
        this.list.change(id, { state: 'paused', retry: null });
    } else if (error instanceof OtherSessionError) {
      if (view.state === 'sending') this.list.change(id, { state: 'waiting', retry: null });
    } else if (isUnreadableFileError(error)) {
      this.files.forget(id);
      this.list.change(id, { state: 'file_missing', retry: null });
    } else {
      const problem = toUploadProblem(error);
      this.list.change(id, {
        state: mayUploadContinueAfter(error) ? 'stopped' : 'failed',
        problem,
        retry: null,
      });
      setTimeout(this.restartStopped, RESTART_MS);
      if (isSessionOutdatedError(error)) this.callbacks.onSessionChanged();
    }
    void this.saveListedUpload(id);
  }

  private async pauseInThisTab(id: string): Promise<void> {
    const view = this.list.find(id);
    if (!view || !['waiting', 'sending', 'stopped'].includes(view.state)) return;
    this.resumed.delete(id);
    this.list.change(id, { state: 'paused', retry: null });
    const run = this.running.get(id);
    // Before the lock of the upload is free: a tab that waits for it reads what is stored.
    const saved = view.state === 'sending' ? this.saveListedUpload(id) : markStoredUploadPaused(id);
    await waitForSave(saved);
    run?.abort(new UploadPausedOrRemovedError());
  }

  /** Each tab ends the job that it knows: one that waits may not know it yet. */
  private async cancelInThisTab(id: string): Promise<void> {
    this.removedUploads.remember(id);
    const view = this.list.find(id);
    if (!view || view.state === 'sent') return;
    this.list.remove(id);
    this.running.get(id)?.abort(new UploadPausedOrRemovedError());
    await this.removedUploads.cancel(toUploadRecord(view), this.deletion);
  }

  private readonly saveListedUpload = async (id: string): Promise<void> => {
    const view = this.list.find(id);
    if (!view) return;
    await saveUploadRecord(toUploadRecord(view)).catch(() => undefined);
  };
}

function waitForSave(saved: Promise<void>): Promise<void> {
  return pTimeout(saved, { milliseconds: MAX_SAVE_MS, fallback: () => undefined });
}
