import {
  deleteStoredItem,
  findStoredItem,
  listUploadDatabaseItems,
  putStoredItem,
} from './upload-database.ts';
import type { StoredJobAudioRecord, UploadRecord } from './upload-record.ts';

const DAY_MS = 86_400_000;
/** How long the browser keeps audio that it sent. */
const AUDIO_DAYS = 30;

/** The uploads, newest first. Deletes what is too old. */
export async function loadUploadsAndDeleteOld(now = Date.now()): Promise<UploadRecord[]> {
  await deleteOldAudio(now);
  const uploads = await listUploadDatabaseItems('uploads');
  const old = uploads.filter(({ state, createdAt }) => state === 'sent' && now - createdAt > DAY_MS);
  for (const { id } of old) await deleteStoredItem('uploads', id);
  return uploads.filter((upload) => !old.includes(upload)).toSorted((a, b) => b.createdAt - a.createdAt);
}

async function deleteOldAudio(now: number): Promise<void> {
  for (const { jobId, savedAt } of await listUploadDatabaseItems('audio'))
    if (now - savedAt > AUDIO_DAYS * DAY_MS) await deleteStoredJobAudio(jobId);
}

/**
 * Keeps a copy of the file if the browser has room for it; without one, it has to be chosen again after a reload.
 *
 * @returns whether there is a copy
 */
export async function saveFileCopyIfRoom(id: string, file: File): Promise<boolean> {
  try {
    const { quota = 0, usage = 0 } = (await navigator.storage?.estimate()) ?? {};
    if (quota - usage <= 2 * file.size) return false;
    await putStoredItem('files', { id, file });
    return true;
  } catch {
    // The file was changed, or the storage is full.
    return false;
  }
}

export async function findFileCopy(id: string): Promise<File | undefined> {
  return (await findStoredItem('files', id).catch(() => undefined))?.file;
}

/** What another tab has saved of an upload stays. */
export async function markStoredUploadPaused(id: string): Promise<void> {
  const record = await findStoredItem('uploads', id).catch(() => undefined);
  if (record && record.state !== 'sent')
    await putStoredItem('uploads', { ...record, state: 'paused' }).catch(() => undefined);
}

/** Remembers which file a job is the transcript of. */
export async function saveAudioRecordOfSentJob({
  id,
  owner,
  fileName,
  fileSize,
  plan,
  parts,
}: UploadRecord): Promise<void> {
  if (!plan) return;
  const digests = parts.map(({ digest }) => digest);
  const audio = { jobId: plan.jobId, owner, savedAt: Date.now(), fileName, size: fileSize };
  await putStoredItem('audio', { ...audio, partSize: plan.partSize, digests, uploadId: id }).catch(
    () => undefined,
  );
}

/** Keeps audio that the browser did not send, such as the sample. */
export async function saveDownloadedJobAudio(jobId: string, owner: string, file: File): Promise<void> {
  await saveFileCopyIfRoom(jobId, file);
  const audio = { jobId, owner, savedAt: Date.now(), fileName: file.name, size: file.size };
  await putStoredItem('audio', { ...audio, partSize: file.size, digests: [], uploadId: jobId }).catch(
    () => undefined,
  );
}

export interface StoredJobAudioWithFileCopy extends StoredJobAudioRecord {
  /** Null if the browser had no room for a copy. */
  file: File | null;
}

/** @returns null for a job whose audio this browser did not send for the owner */
export async function findStoredJobAudio(
  jobId: string,
  owner: string,
): Promise<StoredJobAudioWithFileCopy | null> {
  const audio = await findStoredItem('audio', jobId).catch(() => undefined);
  if (audio?.owner !== owner) return null;
  return { ...audio, file: (await findFileCopy(audio.uploadId)) ?? null };
}

/** Keeps a copy of a file that was chosen again. */
export async function saveJobAudioCopy(jobId: string, file: File): Promise<void> {
  const audio = await findStoredItem('audio', jobId).catch(() => undefined);
  if (audio) await saveFileCopyIfRoom(audio.uploadId, file);
}

/** Removes the audio of a job from the browser. */
export async function deleteStoredJobAudio(jobId: string): Promise<void> {
  const audio = await findStoredItem('audio', jobId);
  if (!audio) return;
  await deleteStoredItem('files', audio.uploadId);
  await deleteStoredItem('audio', jobId);
}

/** Removes what the browser has of a job that was deleted. A file that was not sent stays. */
export async function deleteBrowserDataOfJob(jobId: string): Promise<void> {
  await deleteStoredJobAudio(jobId);
  for (const upload of await listUploadDatabaseItems('uploads'))
    if (isSentUploadOfJob(upload, jobId)) {
      await deleteStoredItem('files', upload.id);
      await deleteStoredItem('uploads', upload.id);
    }
}

export function isSentUploadOfJob({ state, plan }: UploadRecord, jobId: string): boolean {
  return state === 'sent' && plan?.jobId === jobId;
}
