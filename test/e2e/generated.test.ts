import { describeGenerated } from './generated.suite.js';

/** How many requests, and which: both are printed, and can be set to see the same again. */
const REQUESTS = Number(process.env['GENERATED_REQUESTS'] ?? 2_400);
const SEED = Number(process.env['GENERATED_SEED'] ?? Date.now() % 2 ** 31);

describeGenerated(REQUESTS, SEED);
