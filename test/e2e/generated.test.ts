import { describeGenerated } from './generated.suite.js';

/** The number of requests and the seed: both are printed, and can be set to repeat a run. */
const REQUESTS = Number(process.env['GENERATED_REQUESTS'] ?? 2_400);
const SEED = Number(process.env['GENERATED_SEED'] ?? Date.now() % 2 ** 31);

describeGenerated(REQUESTS, SEED);
