import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

/** Merged where the row is locked: of two that name the same label at once the later one stays, other labels keep theirs. */
const MERGE_SPEAKER_NAMES = `
  UPDATE job SET speaker_names = jsonb_strip_nulls(COALESCE(speaker_names, '{}') || $2::jsonb)
  WHERE id = $1 AND status = 'completed'
  RETURNING speaker_names AS names`;

/**
 * Names speakers of a completed job; a label that is given `null` has no name afterwards.
 * @param changes label -> name; the caller has judged both
 * @returns every name there is now, and null for a job that is not there or has not completed
 */
export async function setSpeakerNames(
  dataSource: DataSource,
  jobId: string,
  changes: Readonly<Record<string, string | null>>,
): Promise<Record<string, string> | null> {
  const [row] = await queryRows<{ names: Record<string, string> }>(dataSource, MERGE_SPEAKER_NAMES, [
    jobId,
    JSON.stringify(changes),
  ]);
  return row?.names ?? null;
}
