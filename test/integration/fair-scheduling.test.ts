import { describeFairScheduling } from './fair-scheduling.suite.js';

describeFairScheduling('postgres', { jobs: 40, chunks: 40, untilAllEnded: true });
describeFairScheduling('redis', { jobs: 40, chunks: 40, untilAllEnded: true });
