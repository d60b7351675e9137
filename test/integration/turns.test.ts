import { describeTurns } from './turns.suite.js';

describeTurns('postgres', { jobs: 60, chunks: 60, toTheEnd: true });
describeTurns('redis', { jobs: 60, chunks: 60, toTheEnd: true });
