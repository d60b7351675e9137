import { queryRows } from '@app/database';
import type { DataSource } from 'typeorm';

/** What was declared of a job's audio, by its caller or by the file itself, and what came of it. */
export interface DeclaredSizes {
  /** `file_size` of an upload; null where nothing was declared. */
  declaredSize: number | null;
  /** Bytes. */
  storedSize: number | null;
  /** Seconds that the file declares, where clearly fewer could be decoded; else null. */
  declaredSeconds: number | null;
}

/** To be read when the file has been cut. */
export async function readDeclaredSizes(dataSource: DataSource, jobId: string): Promise<DeclaredSizes> {
  const [row] = await queryRows<DeclaredSizes>(
    dataSource,
    `SELECT declared_size AS "declaredSize", stored_size AS "storedSize",
       (stage.result->>'declaredSeconds')::float8 AS "declaredSeconds"
     FROM job LEFT JOIN job_stage stage ON stage.job_id = job.id AND stage.name = 'preprocess' WHERE job.id = $1`,
    [jobId],
  );
  return row ?? { declaredSize: null, storedSize: null, declaredSeconds: null };
}
