import { afterAll, beforeAll } from 'vitest';
import { describeLargeMultipart } from './multipart-large.suite.js';
import { describeMultipart, MAX_MULTIPART_BYTES } from './multipart-uploads.suite.js';
import { Service } from './support/service.js';
import { describeTranscribeLimit, MAX_AUDIO_BODY_BYTES } from './transcribe-limit.suite.js';
import { describeUpload, MAX_UPLOAD_BYTES } from './upload.suite.js';

/** Suites about uploads share one service with small limits, because starting it takes longer than most of them. */
let service: Service;
beforeAll(async () => {
  service = await Service.start({
    MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES),
    MAX_MULTIPART_BYTES: String(MAX_MULTIPART_BYTES),
    MAX_AUDIO_BODY_BYTES: String(MAX_AUDIO_BODY_BYTES),
    LEASE_SECONDS: '3',
    SWEEP_SECONDS: '1',
  });
});
afterAll(() => service?.stop());

// First, because it measures the memory of an API that has done nothing before.
describeLargeMultipart(() => service);
describeMultipart(() => service);
describeUpload(() => service);
describeTranscribeLimit(() => service);
