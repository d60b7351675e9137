import { describeTurns } from '../integration/turns.suite.js';

/** As many as ten hours have. */
const CHUNKS = 1_200;

describeTurns('postgres', { jobs: 1_000, chunks: CHUNKS, toTheEnd: false });
describeTurns('redis', { jobs: 1_000, chunks: CHUNKS, toTheEnd: false });
