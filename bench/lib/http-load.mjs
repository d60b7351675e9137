import { Client } from 'undici';

/**
 * @typedef {object} Request
 * @property {string} method
 * @property {string} path
 * @property {Record<string, string>} headers
 * @property {string} [body]
 */

/**
 * Sends sequential requests on every connection for a fixed time.
 *
 * @param {{ origin: string, connections: number, milliseconds: number, next: (connection: number) => Request }} plan
 * @returns {Promise<{ perSecond: number, requests: number, middleMs: number, slowMs: number }>} responses per
 *   second; median and 99th percentile of the response time
 * @throws Error for a status other than 200
 */
export async function runHttpLoad({ origin, connections, milliseconds, next }) {
  const clients = Array.from({ length: connections }, () => new Client(origin));
  const times = [];
  const startedAt = performance.now();
  const deadline = startedAt + milliseconds;
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
  const seconds = (performance.now() - startedAt) / 1000;
  times.sort((a, b) => a - b);
  const quantile = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  return {
    perSecond: times.length / seconds,
    requests: times.length,
    middleMs: quantile(0.5),
    slowMs: quantile(0.99),
  };
}

/**
 * Uses the low-level interface of undici, so that the client does not limit the rate.
 *
 * @param {Client} client @param {Request} request @returns {Promise<string>} the response body
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
        else reject(new Error(`${request.method} ${request.path} failed with status ${status}: ${text}`));
      },
      onResponseError(_, error) {
        reject(error);
      },
    });
  });
}
