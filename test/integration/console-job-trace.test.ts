import { RequestSpan, withLogFields } from '@app/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleJobsController } from '../../apps/api/src/console/jobs/console-jobs.controller.js';
import { getCurrentLogFields } from '../../libs/runtime/src/log/log-fields.js';
import { createJobWorld, type World } from '../support/job-world.js';

const JOB_TRACE = '0af7651916cd43dd8448eb211c80319c';

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

describe('the details of a job in the console', () => {
  it('are in a trace of their own, whose log lines name the job and its trace', async () => {
    const jobId = await world.newJob();
    await world.rows(
      'UPDATE job SET traceparent = $1 WHERE id = $2',
      `00-${JOB_TRACE}-b7ad6b7169203331-01`,
      jobId,
    );
    const { get } = ConsoleJobsController.prototype;
    const parts = { dataSource: world.dataSource, options: { transcriptDays: 30 } };
    const fields = await new Promise<object>((resolve, reject) => {
      withLogFields({}, () =>
        new RequestSpan('GET /console/api/jobs/{job_id}', {}, {}).run(() => {
          const session = { accountId: world.accountId, role: 'viewer' } as Parameters<
            ConsoleJobsController['get']
          >[0];
          get.call(parts as never, session, jobId).then(() => resolve({ ...getCurrentLogFields() }), reject);
        }),
      );
    });
    expect(fields).toEqual({ job_id: jobId, job_trace_id: JOB_TRACE });
  });
});
