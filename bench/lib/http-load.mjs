import { Client } from 'undici';

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string} [body]
 */

/**
 * Sends requests on every connection one after the other until the time is over.
 *
 * @param {{ origin: string, connections: number, milliseconds: number, next: (connection: number) => Request }} plan
 * @returns {Promise<{ perSecond: number, requests: number, middleMs: number, slowMs: number }>} requests answered a
 *   second; the time that an answer took: median and 99th percentile
 * @throws Error for an answer other than 200
 */
export async function runHttpLoad({ origin, connections, milliseconds, next }) {
  const clients = Array.from({ length: connections }, () => new Client(origin));
  const times = [];
  const began = performance.now();
  const deadline = began + milliseconds;
  try {
    await Promise.all(
      clients.map(async (client, connection) => {
        while (performance.now() < deadline) {
          const sent = performance.now();
          await sendRequest(client, next(connection));
          times.push(performance.now() - sent);
        }
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
  const seconds = (performance.now() - began) / 1000;
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  return { perSecond: times.length / seconds, requests: times.length, middleMs: at(0.5), slowMs: at(0.99) };
}

/**
 * Uses the low-level interface of undici, so that the client does not limit the rate.
 *
 * @param {Client} client @param {Request} request @returns {Promise<string>} the answer's body
 */
export function sendRequest(client, request) {
  return new Promise((resolve, reject) => {
    let status = 0;
    const parts = [];
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_, code) {
        status = code;
      },
      onResponseData(_, bytes) {
        parts.push(bytes);
      },
      onResponseEnd() {
        const text = Buffer.concat(parts).toString();
        if (status === 200) resolve(text);
        else reject(new Error(`${request.method} ${request.path} was answered with ${status}: ${text}`));
      },
      onResponseError(_, error) {
        reject(error);
      },
    });
  });
}
