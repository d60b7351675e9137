import { afterAll, beforeAll } from 'vitest';
import { Service } from '../e2e/support/service.js';
import { Bucket, bucketSettings } from '../support/bucket.js';
import { type Radosgw, startRadosgw } from '../support/radosgw.js';
import { describeDoctor } from './doctor.suite.js';
import { describeLarge } from './large.suite.js';
import { describeMultipart } from './multipart.suite.js';
import { describeRetention } from './retention.suite.js';
import type { S3World } from './world.js';

const BUCKET = 'service';

/** One store and one service for all: starting them takes longer than most of what is asked of them. */
let s3: Radosgw;
let world: S3World;

beforeAll(async () => {
  s3 = await startRadosgw();
  const service = await Service.start({
    ...bucketSettings(s3, BUCKET),
    MAX_MULTIPART_BYTES: String(100 * 2 ** 30),
    // An upload that is never completed has to end within a test.
    UPLOAD_URL_SECONDS: '12',
    LEASE_SECONDS: '3',
    SWEEP_SECONDS: '1',
    ORPHAN_SWEEP_SECONDS: '2',
    ORPHAN_AGE_SECONDS: '5',
    // Who sends as slowly as it may takes a second for a part, and is not longer waited for.
    BODY_BYTES_PER_SECOND: String(8 * 2 ** 20),
  });
  world = { service, client: await service.client(), bucket: new Bucket(s3, BUCKET) };
});
afterAll(async () => {
  world?.bucket.close();
  await world?.service.stop();
  await s3?.stop();
});

describeDoctor(() => world);
describeRetention(() => world);
describeMultipart(() => world);
// The last, as radosgw gives the memory of what was deleted back only hours later, or when it ends.
describeLarge(() => world);
