import {
  buildAccountScopedQuery,
  type MemberIdentity,
  buildMemberAsJsonSql,
  queryAccountRows,
  TranscriptCorrection,
} from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

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

/** Replaces an earlier correction of the segment. */
export async function saveTranscriptCorrection(
  tx: EntityManager,
  { jobId, segment, text, userId }: { jobId: string; segment: number; text: string; userId: string },
): Promise<void> {
  await tx.query(
    `INSERT INTO transcript_correction (job_id, segment, text, updated_by) VALUES ($1, $2, $3, $4)
     ON CONFLICT (job_id, segment)
     DO UPDATE SET text = excluded.text, updated_by = excluded.updated_by, updated_at = now()`,
    [jobId, segment, text, userId],
  );
}

/** @returns whether there was one */
export async function deleteTranscriptCorrection(
  tx: EntityManager,
  jobId: string,
  segment: number,
): Promise<boolean> {
  return (await tx.delete(TranscriptCorrection, { jobId, segment })).affected === 1;
}

export async function deleteTranscriptCorrections(tx: EntityManager, jobId: string): Promise<void> {
  await tx.delete(TranscriptCorrection, { jobId });
}
