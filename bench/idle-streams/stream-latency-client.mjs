/**
 * Holds event streams open and measures the latency of events. Messages: `{ open, port }` opens a stream for each of these
 * jobs; `{ collect }` waits for that many events and replies with their latencies.
 */
import { connect } from 'node:net';
import { readSharedClockMs } from './shared-clock.mjs';

const CONCURRENCY = 100;
const MADE_AT = /"made_at":([\d.]+)/g;

let times = [];
let notifyArrival = () => undefined;

process.on('message', (message) => void handleMessage(message));
process.once('disconnect', () => process.exit());
process.once('SIGTERM', () => process.exit());
process.send({ ready: true });

async function handleMessage({ open, port, collect }) {
  if (open) {
    const pending = [...open];
    await Promise.all(Array.from({ length: CONCURRENCY }, () => openStreams(pending, port)));
    process.send({ open: open.length });
    return;
  }
  while (times.length < collect) await new Promise((resolve) => (notifyArrival = resolve));
  process.send({ times });
  times = [];
}

/** @param {{ id: string, apiKey: string }[]} pending @param {number} port */
async function openStreams(pending, port) {
  for (let job = pending.pop(); job; job = pending.pop()) await openStream(job, port);
}

/** @returns {Promise<void>} when the response has begun */
function openStream({ id, apiKey }, port) {
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
  notifyArrival();
}
