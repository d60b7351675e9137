import { describe } from 'vitest';
import { describeKilling } from './killing.suite.js';

describe('SIGKILL with a queue in Redis and a file store', () => {
  describeKilling('killing on Redis and files', () => ({ queue: 'redis' }));
});
