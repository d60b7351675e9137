import { AudioIntake } from '@app/database';
import { type DataSource, type EntityManager, IsNull } from 'typeorm';

/** Before the first byte is stored. @param seconds that the body may take at most */
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
 * In the transaction that creates the job of the audio.
 * @returns false when the audio is being deleted, as its request took too long: there may be no such job any more
 */
export async function endAudioIntake(tx: EntityManager, jobId: string): Promise<boolean> {
  const ended = await tx.delete(AudioIntake, { jobId, abandonedAt: IsNull() });
  return ended.affected === 1;
}

/** After the audio of a job that is not to be was deleted. */
export async function deleteAudioIntake(db: DataSource | EntityManager, jobId: string): Promise<void> {
  await db.getRepository(AudioIntake).delete({ jobId });
}

/** No more of this body will come. What of it may lie in the store is found there. */
export async function expireAudioIntake(db: DataSource | EntityManager, jobId: string): Promise<void> {
  await db.getRepository(AudioIntake).update({ jobId }, { expiresAt: () => 'now()' });
}

/** From now on there will be no job of this audio. @returns false when there is one already, or never was such an intake */
export async function abandonAudioIntake(db: DataSource, jobId: string): Promise<boolean> {
  const abandoned = await db
    .getRepository(AudioIntake)
    .update({ jobId }, { abandonedAt: () => 'COALESCE(abandoned_at, now())' });
  return abandoned.affected === 1;
}

/**
 * Removes the rows of bodies that ended before a pass over the store in which nothing of them was found.
 * @param scanStartedAt when the pass began, on the database's clock
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
