import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:net';

/** A client sends only the token and a line end. */
const MAX_TOKEN_LINE_LENGTH = 200;
const AUTHENTICATION_TIMEOUT_MS = 5_000;

/**
 * What the supervisor sends to its clients, one JSON object per line.
 *
 * @typedef {{ state: 'starting' } | { state: 'ready', url: string } | { state: 'restarting', message: string } |
 *   { state: 'failed', message: string }} SupervisorStatus
 */

/**
 * Programs stay connected to the control socket while they need the database. A connection counts as a client when it
 * has sent the token. It closes with its program, also when that crashes, so no client has to unregister.
 *
 * @param {{ token: string, graceMs: number, onIdle: () => void }} options `onIdle` is called when there has been no
 *   client for `graceMs`
 * @returns {Promise<{ port: number, announce(message: SupervisorStatus): void, close(): Promise<void> }>}
 */
export function openControlSocket({ token, graceMs, onIdle }) {
  /** @type {Set<import('node:net').Socket>} */
  const clients = new Set();
  /** @type {SupervisorStatus} */
  let status = { state: 'starting' };
  let idleTimer = setTimeout(onIdle, graceMs);

  const server = createServer((socket) => {
    let received = '';
    socket.setTimeout(AUTHENTICATION_TIMEOUT_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (/** @type {Buffer} */ data) => {
      if (clients.has(socket)) return;
      received += data.toString('latin1');
      if (received.length > MAX_TOKEN_LINE_LENGTH) socket.destroy();
      if (!received.includes('\n')) return;
      if (!isSameToken(received.trim(), token)) return socket.destroy();
      socket.setTimeout(0);
      clients.add(socket);
      clearTimeout(idleTimer);
      socket.write(`${JSON.stringify(status)}\n`);
    });
    socket.on('close', () => {
      if (!clients.delete(socket) || clients.size > 0) return;
      clearTimeout(idleTimer);
      idleTimer = setTimeout(onIdle, graceMs);
    });
  });

  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        announce: (message) => {
          status = message;
          for (const client of clients) client.write(`${JSON.stringify(message)}\n`);
        },
        close: () => closeControlSocket(server, clients),
      });
    });
  });
}

/** @param {import('node:net').Server} server @param {Set<import('node:net').Socket>} clients */
async function closeControlSocket(server, clients) {
  server.close();
  await Promise.all([...clients].map((client) => new Promise((done) => client.end(() => done(undefined)))));
  for (const client of clients) client.destroy();
}

/** @param {string} received @param {string} token */
function isSameToken(received, token) {
  return (
    received.length === token.length &&
    timingSafeEqual(Buffer.from(received, 'latin1'), Buffer.from(token, 'latin1'))
  );
}
