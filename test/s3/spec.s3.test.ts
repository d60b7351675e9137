import { describe } from 'vitest';
import { describeSpecification } from '../e2e/spec/specification.suite.js';
import { startExternalDependencies, type Dependencies } from '../e2e/support/dependencies.js';
import { bucketSettings } from '../support/bucket.js';
import { startRadosgw } from '../support/radosgw.js';

/** No embedded dependencies: Postgres, Redis and an S3 server that the service does not start. */
async function partsWithBucket(): Promise<Dependencies> {
  const s3 = await startRadosgw();
  const parts = await startExternalDependencies().catch(async (error: unknown) => {
    await s3.stop();
    throw error;
  });
  return {
    name: 's3',
    env: {
      ...parts.env,
      ...bucketSettings(s3, 'spec'),
    },
    remove: async () => {
      await parts.remove();
      await s3.stop();
    },
  };
}

describe('the specification on Postgres, Redis and S3', () => {
  describeSpecification(partsWithBucket);
});
