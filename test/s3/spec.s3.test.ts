import { describe } from 'vitest';
import { describeSpecification } from '../e2e/spec/specification.suite.js';
import { startExternalDependencies, type Dependencies } from '../e2e/support/dependencies.js';
import { bucketSettings } from '../support/bucket.js';
import { startRadosgw } from '../support/radosgw.js';

/** Starts Postgres, Redis and an S3 server, so that the service starts no embedded dependencies. */
async function startDependenciesWithBucket(): Promise<Dependencies> {
  const s3 = await startRadosgw();
  const dependencies = await startExternalDependencies().catch(async (error: unknown) => {
    await s3.stop();
    throw error;
  });
  return {
    name: 's3',
    env: {
      ...dependencies.env,
      ...bucketSettings(s3, 'spec'),
    },
    remove: async () => {
      await dependencies.remove();
      await s3.stop();
    },
  };
}

describe('the specification on Postgres, Redis and S3', () => {
  describeSpecification(startDependenciesWithBucket);
});
