import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Sent repeatedly, so that generating bytes does not limit the rate. */
const BLOCK = randomBytes(1024 * 1024);
/** Longer than any disk needs; bounds the wait for a server that never responds. */
const MAX_BATCH_WAIT_MS = 120_000;

/**
 * Sends a generated body as fast as the server reads it.
 *
 * @param {object} request
 * @param {string} request.method @param {string} request.address @param {Record<string, string>} [request.headers]
 * @param {number} request.bytes
 * @param {import('node:http').Agent} [request.agent] keeps the connection for more; without it there is one for this body
 * @returns {Promise<import('node:http').IncomingHttpHeaders>} the response headers; the response body is not awaited
 * @throws Error for an answer other than 200
 */
export async function sendGeneratedBody({ method, address, headers = {}, bytes, agent }) {
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
