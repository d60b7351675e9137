import type { Job } from '../api/jobs.ts';
import { texts } from '../texts/index.ts';

/** Null for a job of a deleted user. */
export function describeJobCreator({
  created_by: user,
  key,
}: Pick<Job, 'created_by' | 'key'>): string | null {
  if (user) return user.name || user.email;
  return key && texts.jobs.withKey(key.name);
}
