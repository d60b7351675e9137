import { afterAll, describe } from 'vitest';
import type { Radosgw } from '../support/radosgw.js';
import { describeKilling } from './killing.suite.js';
import { startRadosgwIfInstalled } from './support/radosgw-if-installed.js';

describe('SIGKILL with a queue in Postgres and an S3 store', () => {
  let s3: Radosgw | undefined;
  afterAll(() => s3?.stop());

  describeKilling('killing on Postgres and S3', async () => {
    s3 = await startRadosgwIfInstalled();
    return { queue: 'postgres', ...(s3 && { s3 }) };
  });
});
