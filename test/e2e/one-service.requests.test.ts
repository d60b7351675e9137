import { afterAll, beforeAll } from 'vitest';
import { describeAccess } from './access.suite.js';
import { describeAwkwardBodies } from './awkward-bodies.suite.js';
import { describeAwkwardHeaders } from './awkward-headers.suite.js';
import { describeAwkwardRequests } from './awkward-requests.suite.js';
import { describeAwkwardTranscribe } from './awkward-transcribe.suite.js';
import { describeIgnoredFields } from './ignored-fields.suite.js';
import { describeReference } from './reference.suite.js';
import { Service } from './support/service.js';

/** Requests of every kind to a service with default settings. */
let service: Service;
beforeAll(async () => {
  service = await Service.start({ STREAM_HEARTBEAT_SECONDS: '1' });
});
afterAll(() => service?.stop());

describeReference(() => service);
describeAccess(() => service);
describeAwkwardBodies(() => service);
describeAwkwardHeaders(() => service);
describeAwkwardRequests(() => service);
describeAwkwardTranscribe(() => service);
describeIgnoredFields(() => service);
