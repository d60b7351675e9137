import { describe } from 'vitest';
import { describeKilling } from './killing.suite.js';

describe('kill -9 on Redis and files', () => {
  describeKilling('killing on Redis and files', () => ({ queue: 'redis' }));
});
