import { findExistingJobIds, parseJobId, OBJECT_PREFIXES } from '@app/jobs';
import type { ObjectStore } from '@app/storage';
import type { DataSource } from 'typeorm';

/** Objects that are looked at under each prefix. They come in the order of job ids, so these are the oldest jobs'. */
const SAMPLE_SIZE = 500;

export interface ObjectSample {
  /** Jobs that the sampled objects belong to. */
  jobs: number;
  /** How many of these the database knows. */
  known: number;
}

/** Whether the objects of a store are of jobs that this database knows. */
export async function sampleObjects(dataSource: DataSource, store: ObjectStore): Promise<ObjectSample> {
  const jobs = new Set<string>();
  for (const prefix of OBJECT_PREFIXES) {
    let seen = 0;
    for await (const { key } of store.list(prefix)) {
      const jobId = parseJobId(key);
      if (jobId !== null) jobs.add(jobId);
      if (++seen >= SAMPLE_SIZE) break;
    }
  }
  const { size: known } = await findExistingJobIds(dataSource, jobs);
  return { jobs: jobs.size, known };
}
