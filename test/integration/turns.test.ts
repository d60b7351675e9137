import { describeTurns } from './turns.suite.js';

describeTurns('postgres', { jobs: 100, chunks: 100 });
describeTurns('redis', { jobs: 100, chunks: 100 });
