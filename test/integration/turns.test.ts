import { describeTurns } from './turns.suite.js';

describeTurns('postgres', { jobs: 40, chunks: 40, toTheEnd: true });
describeTurns('redis', { jobs: 40, chunks: 40, toTheEnd: true });
