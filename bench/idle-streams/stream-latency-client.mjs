/**
 * Keeps event streams open and measures the latency of events. Messages: `{ open, port }` opens a stream for each of these
 * jobs; `{ collect }` waits for so many events and replies with their latencies.
 */
import { connect } from 'node:net';
import { readSharedClockMs } from './shared-clock.mjs';

/** Streams that are opened concurrently. */
const CONCURRENCY = 100;
const MADE_AT = /"made_at":([\d.]+)/g;

let times = [];
let arrived = () => undefined;

process.on('message', (asked) => void answer(asked));
process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
process.send({ ready: true });

async function answer({ open, port, collect }) {
  if (open) {
    const waiting = [...open];
    await Promise.all(Array.from({ length: CONCURRENCY }, () => openAll(waiting, port)));
    process.send({ open: open.length });
    return;
  }
  while (times.length < collect) await new Promise((resolve) => (arrived = resolve));
  process.send({ times });
  times = [];
}

/** @param {{ id: string, apiKey: string }[]} waiting @param {number} port */
async function openAll(waiting, port) {
  for (let job = waiting.pop(); job; job = waiting.pop()) await openOne(job, port);
}

/** @returns {Promise<void>} when the answer has begun */
function openOne({ id, apiKey }, port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('latin1');
    socket.write(
      `GET /api/v1/jobs/${id}/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${apiKey}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    socket.once('data', (head) => {
      if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`a stream request failed with ${head}`);
      socket.on('data', recordLatencies);
      resolve();
    });
    socket.once('close', () => {
      throw new Error('a stream has ended');
    });
  });
}

/** An event is small enough to arrive in one read. @param {string} text */
function recordLatencies(text) {
  const now = readSharedClockMs();
  for (const [, madeAt] of text.matchAll(MADE_AT)) times.push(now - Number(madeAt));
  arrived();
}
