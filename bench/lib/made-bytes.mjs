import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Sent again and again: making bytes must not be what limits the rate. */
const BLOCK = randomBytes(1024 * 1024);
/** Longer than any disk takes: a server that has forgotten a body must not be waited for without an end. */
const MAX_BATCH_WAIT_MS = 120_000;

/**
 * Sends a body of made-up bytes, as fast as it is taken.
 *
 * @param {object} wish
 * @param {string} wish.method @param {string} wish.address @param {Record<string, string>} [wish.headers]
 * @param {number} wish.bytes
 * @param {import('node:http').Agent} [wish.agent] keeps the connection for more; without it there is one for this body
 * @returns {Promise<import('node:http').IncomingHttpHeaders>} those of the answer, as soon as they are there; what
 *   follows them is not waited for
 * @throws Error for an answer other than 200
 */
export async function sendBytes({ method, address, headers = {}, bytes, agent }) {
  const body = request(address, {
    method,
    agent: agent ?? false,
    signal: AbortSignal.timeout(MAX_BATCH_WAIT_MS),
    headers: { ...headers, 'content-length': String(bytes) },
  });
  const answered = once(body, 'response');
  try {
    await Promise.race([write(body, bytes), answered]);
    const [answer] = await answered;
    if (answer.statusCode !== 200)
      throw new Error(`${method} was answered with ${answer.statusCode}: ${await text(answer)}`);
    if (agent) answer.resume();
    return answer.headers;
  } finally {
    body.on('error', () => undefined);
    if (!agent) body.destroy();
  }
}

/** @param {import('node:http').ClientRequest} body @param {number} bytes */
async function write(body, bytes) {
  for (let left = bytes; left > 0; left -= BLOCK.length) {
    if (!body.write(left < BLOCK.length ? BLOCK.subarray(0, left) : BLOCK)) await once(body, 'drain');
  }
  body.end();
}
