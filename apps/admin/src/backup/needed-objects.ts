import type { DatabaseSnapshot } from '@app/database';
import { buildDocumentKeyBeside } from '@app/jobs';
import { type BackupFolder } from './backup-folder.js';
import { readLines } from './object-list.js';
import { writeFileWithChecksum } from './file-checksum.js';

export interface NeededObject {
  key: string;
  /** False for bytes that may come yet, or not: those of an upload that is not completed. */
  isRequired: boolean;
}

/**
 * Audio of open jobs, and the chunks of it that wait to be recognised, each deleted when its job ends: first those of the
 * jobs that have been queued the longest, which end first.
 */
const OPEN_JOB_OBJECTS = `
  SELECT key, required FROM (
    SELECT audio_key AS key, queued_at IS NOT NULL AS required, queued_at FROM job
    WHERE status = 'processing' AND (audio_url IS NULL OR stored_size IS NOT NULL)
    UNION ALL
    SELECT input->>'key', true, queued_at FROM job_stage JOIN job ON job.id = job_id
    WHERE queue = 'chunk' AND state IN ('pending', 'running') AND input->>'key' IS NOT NULL
  ) needed ORDER BY queued_at NULLS LAST`;

/** Transcripts, each beside the document that it was made from. */
const COMPLETED_JOB_OBJECTS = 'SELECT result_key, true FROM job WHERE result_key IS NOT NULL';

export type ObjectGroup = 'open' | 'transcripts';

/**
 * Writes down which objects the rows of a snapshot need, group by group, in files beside the backup: there may be
 * millions, and the snapshot is not to be held for as long as copying them takes.
 */
export async function writeObjectLists(snapshot: DatabaseSnapshot, folder: BackupFolder): Promise<void> {
  await writeFileWithChecksum(objectGroupListPath(folder, 'open'), snapshot.copySelect(OPEN_JOB_OBJECTS));
  await writeFileWithChecksum(
    objectGroupListPath(folder, 'transcripts'),
    snapshot.copySelect(COMPLETED_JOB_OBJECTS),
  );
}

export async function* readNeededObjects(
  folder: BackupFolder,
  group: ObjectGroup,
): AsyncGenerator<NeededObject> {
  for await (const line of readLines(objectGroupListPath(folder, group))) {
    const [key = '', required] = line.split('\t');
    yield { key, isRequired: required === 't' };
    const document = buildDocumentKeyBeside(key);
    if (group === 'transcripts' && document !== key) yield { key: document, isRequired: true };
  }
}

export function objectGroupListPath(folder: BackupFolder, group: ObjectGroup): string {
  return `${folder.objectListPath}.${group}`;
}
