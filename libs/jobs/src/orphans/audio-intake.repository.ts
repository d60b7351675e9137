import { AudioIntake } from '@app/database';
import { type DataSource, type EntityManager, IsNull } from 'typeorm';

/**
 * Records an intake before the first byte is stored.
 * @param seconds maximum duration of the body
 */
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
 * Ends an intake in the transaction that creates its job.
 * @returns false if the audio is being deleted because the request took too long; the job must then not be created
 */
export async function endAudioIntake(tx: EntityManager, jobId: string): Promise<boolean> {
  const ended = await tx.delete(AudioIntake, { jobId, abandonedAt: IsNull() });
  return ended.affected === 1;
}

/** Deletes the intake after its audio was deleted. */
export async function deleteAudioIntake(db: DataSource | EntityManager, jobId: string): Promise<void> {
  await db.getRepository(AudioIntake).delete({ jobId });
}

/** Expires an intake whose body has ended; a scan finds what it stored. */
export async function expireAudioIntake(db: DataSource | EntityManager, jobId: string): Promise<void> {
  await db.getRepository(AudioIntake).update({ jobId }, { expiresAt: () => 'now()' });
}

/**
 * Prevents the creation of a job for this audio.
 * @returns false if the job exists or there was no such intake
 */
export async function abandonAudioIntake(db: DataSource, jobId: string): Promise<boolean> {
  const abandoned = await db
    .getRepository(AudioIntake)
    .update({ jobId }, { abandonedAt: () => 'COALESCE(abandoned_at, now())' });
  return abandoned.affected === 1;
}

/**
 * Deletes expired intakes of which a scan of the store has found nothing.
 * @param scanStartedAt by the clock of the database
 */
export async function deleteExpiredAudioIntakes(
  db: DataSource,
  scanStartedAt: string,
  jobIdsFound: ReadonlySet<string>,
): Promise<void> {
  await db.query(
    'DELETE FROM audio_intake WHERE expires_at < $1::timestamptz AND job_id <> ALL($2::uuid[])',
    [scanStartedAt, [...jobIdsFound]],
  );
}
