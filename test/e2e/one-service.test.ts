import { afterAll, beforeAll } from 'vitest';
import { describeAccount } from './account.suite.js';
import { describeDeclared } from './declared.suite.js';
import { describeGeneratedClients } from './generated-clients.suite.js';
import { describeFirstSteps } from './first-steps.suite.js';
import { describeIsolation } from './isolation.suite.js';
import { describeJobsRoutes } from './jobs-routes.suite.js';
import { describeMetadata } from './metadata.suite.js';
import { describeOperator } from './operator.suite.js';
import { describeSuspension } from './operator-suspension.suite.js';
import { describeOperatorOutput } from './operator-output.suite.js';
import { describeOptions } from './options.suite.js';
import { Service } from './support/service.js';

/** Suites that need no special settings share one service, because starting it takes longer than most of them. */
let service: Service;
beforeAll(async () => {
  service = await Service.start({
    LEASE_SECONDS: '3',
    SWEEP_SECONDS: '1',
    CHUNK_SECONDS: '5',
    CHUNK_MAX_SECONDS: '10',
    OUTBOUND_ALLOW: '127.0.0.9',
  });
});
afterAll(() => service?.stop());

describeOptions(() => service);
describeJobsRoutes(() => service);
describeOperator(() => service);
describeSuspension(() => service);
describeOperatorOutput(() => service);
describeIsolation(() => service);
describeFirstSteps(() => service);
describeGeneratedClients(() => service);
describeMetadata(() => service);
describeAccount(() => service);
describeDeclared(() => service);
