import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** Sent repeatedly, so that generating bytes does not limit the rate. */
const BLOCK = randomBytes(1024 * 1024);
const RESPONSE_TIMEOUT_MS = 120_000;

/**
 * Sends a generated body as fast as the server reads it.
 *
 * @param {object} request
 * @param {string} request.method @param {string} request.address @param {Record<string, string>} [request.headers]
 * @param {number} request.bytes
 * @param {import('node:http').Agent} [request.agent] reuses connections; without it the body gets a new one
 * @returns {Promise<import('node:http').IncomingHttpHeaders>} the response headers; the response body is not awaited
 * @throws Error for a status other than 200
 */
export async function sendGeneratedBody({ method, address, headers = {}, bytes, agent }) {
  const body = request(address, {
    method,
    agent: agent ?? false,
    signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    headers: { ...headers, 'content-length': String(bytes) },
  });
  const responded = once(body, 'response');
  try {
    await Promise.race([writeBlocks(body, bytes), responded]);
    const [response] = await responded;
    if (response.statusCode !== 200)
      throw new Error(`${method} failed with status ${response.statusCode}: ${await text(response)}`);
    if (agent) response.resume();
    return response.headers;
  } finally {
    body.on('error', () => undefined);
    if (!agent) body.destroy();
  }
}

/** @param {import('node:http').ClientRequest} body @param {number} bytes */
async function writeBlocks(body, bytes) {
  for (let remaining = bytes; remaining > 0; remaining -= BLOCK.length) {
    if (!body.write(remaining < BLOCK.length ? BLOCK.subarray(0, remaining) : BLOCK))
      await once(body, 'drain');
  }
  body.end();
}
