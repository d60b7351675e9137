import { afterAll, beforeAll } from 'vitest';
import { Service } from '../e2e/support/service.js';
import { Bucket, bucketSettings } from '../support/bucket.js';
import { type Radosgw, startRadosgw } from '../support/radosgw.js';
import { describeDoctor } from './doctor.suite.js';
import { describeLarge } from './large.suite.js';
import { describeMultipart } from './multipart.suite.js';
import { describeRetention } from './retention.suite.js';
import type { S3Fixture } from './s3-fixture.js';

const BUCKET = 'service';

/** All suites share one store and one service, because starting them takes longer than most tests. */
let s3: Radosgw;
let fixture: S3Fixture;

beforeAll(async () => {
  s3 = await startRadosgw();
  const service = await Service.start({
    ...bucketSettings(s3, BUCKET),
    MAX_MULTIPART_BYTES: String(100 * 2 ** 30),
    // Uploads that are not completed must expire during a test.
    UPLOAD_URL_SECONDS: '12',
    LEASE_SECONDS: '3',
    SWEEP_SECONDS: '1',
    STORE_SCAN_SECONDS: '2',
    UNNEEDED_AUDIO_SECONDS: '5',
    // The slowest permitted sender takes a second for a part.
    BODY_BYTES_PER_SECOND: String(8 * 2 ** 20),
  });
  fixture = { service, client: await service.client(), bucket: new Bucket(s3, BUCKET) };
});
afterAll(async () => {
  fixture?.bucket.close();
  await fixture?.service.stop();
  await s3?.stop();
});

describeDoctor(() => fixture);
describeRetention(() => fixture);
describeMultipart(() => fixture);
// Runs last: radosgw frees the memory of deleted objects only hours later, or when it exits.
describeLarge(() => fixture);
