import { describeGenerated } from '../e2e/generated.suite.js';
import { SEED } from './support/seed.js';

describeGenerated(5_000, SEED);
