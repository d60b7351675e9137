import { describeFairScheduling } from '../integration/fair-scheduling.suite.js';

/** The number of chunks in ten hours. */
const CHUNKS = 1_200;

describeFairScheduling('postgres', { jobs: 1_000, chunks: CHUNKS, untilAllEnded: false });
describeFairScheduling('redis', { jobs: 1_000, chunks: CHUNKS, untilAllEnded: false });
