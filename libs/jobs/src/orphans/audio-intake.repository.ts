import { AudioIntake } from '@app/database';
import { type DataSource, type EntityManager, IsNull } from 'typeorm';

/** Call it before the first byte is stored. @param seconds maximum duration of the body */
export async function beginAudioIntake(
  db: DataSource | EntityManager,
  jobId: string,
  seconds: number,
): Promise<void> {
  await db.query(
    `INSERT INTO audio_intake (job_id, expires_at) VALUES ($1, now() + make_interval(secs => $2))`,
    [jobId, seconds],
  );
}

/**
 * Call it in the transaction that creates the job.
 * @returns false if the audio is being deleted because the request took too long; the job must then not be
 * created
 */
export async function deleteAudioIntakeUnlessAbandoned(tx: EntityManager, jobId: string): Promise<boolean> {
  const ended = await tx.delete(AudioIntake, { jobId, abandonedAt: IsNull() });
  return ended.affected === 1;
}

/** Call it after the audio was deleted. */
export async function deleteAudioIntake(db: DataSource | EntityManager, jobId: string): Promise<void> {
  await db.getRepository(AudioIntake).delete({ jobId });
}

/** Call it when the body has ended; a scan finds what was stored. */
export async function expireAudioIntakeNow(db: DataSource | EntityManager, jobId: string): Promise<void> {
  await db.getRepository(AudioIntake).update({ jobId }, { expiresAt: () => 'now()' });
}

/** Prevents the creation of the job. @returns false if the job exists or the intake does not */
export async function markAudioIntakeAbandoned(db: DataSource, jobId: string): Promise<boolean> {
  const abandoned = await db
    .getRepository(AudioIntake)
    .update({ jobId }, { abandonedAt: () => 'COALESCE(abandoned_at, now())' });
  return abandoned.affected === 1;
}

/**
 * Call it after a scan of the store found nothing of them. @param scanStartedAt by the clock of the database
 */
export async function deleteExpiredIntakesWithoutAudio(
  db: DataSource,
  scanStartedAt: string,
  jobIdsFound: ReadonlySet<string>,
): Promise<void> {
  await db.query(
    'DELETE FROM audio_intake WHERE expires_at < $1::timestamptz AND job_id <> ALL($2::uuid[])',
    [scanStartedAt, [...jobIdsFound]],
  );
}
