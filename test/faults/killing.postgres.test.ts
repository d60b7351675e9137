import { afterAll, describe } from 'vitest';
import type { Radosgw } from '../support/radosgw.js';
import { describeKilling } from './killing.suite.js';
import { s3IfThere } from './support/s3-if-there.js';

describe('kill -9 on a queue in Postgres and an S3 store', () => {
  let s3: Radosgw | undefined;
  afterAll(() => s3?.stop());

  describeKilling('killing on Postgres and S3', async () => {
    s3 = await s3IfThere();
    return { queue: 'postgres', ...(s3 && { s3 }) };
  });
});
