import {
  buildAccountScopedQuery,
  type MemberIdentity,
  buildMemberAsJsonSql,
  queryAccountRows,
  TranscriptCorrection,
} from '@app/database';
import { type DataSource, type EntityManager, In, IsNull } from 'typeorm';

export interface CorrectionWithAuthor {
  /** Index in the segments of the transcript document. */
  segment: number;
  text: string;
  updatedAt: Date;
  /** Null for a deleted user. */
  updatedBy: MemberIdentity | null;
}

const SELECT_CORRECTIONS = buildAccountScopedQuery(
  'transcript-corrections',
  `SELECT correction.segment, correction.text, correction.updated_at AS "updatedAt",
     ${buildMemberAsJsonSql('correction.updated_by', 'app_user')} AS "updatedBy"
   FROM transcript_correction correction
   JOIN job ON job.id = correction.job_id AND job.account_id = $1
   LEFT JOIN app_user ON app_user.id = correction.updated_by
   WHERE correction.job_id = $2 ORDER BY correction.segment`,
);

/** In the order of the transcript. @param jobId a UUID */
export function listTranscriptCorrections(
  dataSource: DataSource,
  accountId: string,
  jobId: string,
): Promise<CorrectionWithAuthor[]> {
  return queryAccountRows<CorrectionWithAuthor>(dataSource, accountId, SELECT_CORRECTIONS, [jobId]);
}

export interface NewTranscriptCorrection {
  jobId: string;
  segment: number;
  text: string;
  userId: string;
}

/** Replaces an earlier correction of the segment, whatever its text. */
export async function saveOrReplaceSegmentCorrection(
  tx: EntityManager,
  { jobId, segment, text, userId }: NewTranscriptCorrection,
): Promise<void> {
  await tx.query(
    `INSERT INTO transcript_correction (job_id, segment, text, updated_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT (job_id, segment)
     DO UPDATE SET text = excluded.text, updated_by = excluded.updated_by, updated_at = now()`,
    [jobId, segment, text, userId],
  );
}

/**
 * Saves a correction if the segment still has the one that it replaces, or has the new text already.
 *
 * @param replaced text of the earlier correction; null for none
 * @returns whether it was saved
 */
export async function saveSegmentCorrectionIfUnchanged(
  tx: EntityManager,
  { jobId, segment, text, userId }: NewTranscriptCorrection,
  replaced: string | null,
): Promise<boolean> {
  if (replaced === null) {
    const saved: unknown[] = await tx.query(
      `INSERT INTO transcript_correction AS correction (job_id, segment, text, updated_by) VALUES ($1, $2, $3, $4)
       ON CONFLICT (job_id, segment)
       DO UPDATE SET updated_by = excluded.updated_by, updated_at = now() WHERE correction.text = excluded.text
       RETURNING segment`,
      [jobId, segment, text, userId],
    );
    return saved.length === 1;
  }
  const { affected } = await tx
    .createQueryBuilder()
    .update(TranscriptCorrection)
    .set({ text, updatedBy: userId, updatedAt: () => 'now()' })
    .where({ jobId, segment, text: In([replaced, text]) })
    .execute();
  return affected === 1;
}

/** @returns whether there was one */
export async function deleteTranscriptCorrection(
  tx: EntityManager,
  jobId: string,
  segment: number,
): Promise<boolean> {
  return (await tx.delete(TranscriptCorrection, { jobId, segment })).affected === 1;
}

/**
 * Deletes a correction if it is still the one that was seen.
 *
 * @param seen its text; null for none
 * @returns `unchanged` if there was none, `changed` if there is another one
 */
export async function deleteTranscriptCorrectionIfUnchanged(
  tx: EntityManager,
  jobId: string,
  segment: number,
  seen: string | null,
): Promise<'deleted' | 'unchanged' | 'changed'> {
  const { affected } = await tx.delete(TranscriptCorrection, { jobId, segment, text: seen ?? IsNull() });
  if (affected === 1) return 'deleted';
  return (await tx.existsBy(TranscriptCorrection, { jobId, segment })) ? 'changed' : 'unchanged';
}

export async function deleteTranscriptCorrections(tx: EntityManager, jobId: string): Promise<void> {
  await tx.delete(TranscriptCorrection, { jobId });
}
