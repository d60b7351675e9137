import { timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:net';

/** A token and a line end; nobody has more to say here. */
const LONGEST_GREETING = 200;
const GREETING_WITHIN_MS = 5_000;

/**
 * What the keeper tells the programs that use the database, one JSON object a line.
 *
 * @typedef {{ state: 'starting' } | { state: 'ready', url: string } | { state: 'restarting', message: string } |
 *   { state: 'failed', message: string }} SupervisorStatus
 */

/**
 * Where programs wait as long as they need the database. A connection counts once it has said the token, and ends
 * with the program, however that ended; so nobody has to sign off.
 *
 * @param {{ token: string, graceMs: number, onDeserted: () => void }} options `onDeserted` is called when nobody has
 *   been here for `graceMs`
 * @returns {Promise<{ port: number, announce(message: SupervisorStatus): void, close(): Promise<void> }>}
 */
export function openDoor({ token, graceMs, onDeserted }) {
  /** @type {Set<import('node:net').Socket>} */
  const guests = new Set();
  /** @type {SupervisorStatus} */
  let news = { state: 'starting' };
  let patience = setTimeout(onDeserted, graceMs);

  const door = createServer((socket) => {
    let heard = '';
    socket.setTimeout(GREETING_WITHIN_MS, () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('data', (/** @type {Buffer} */ data) => {
      if (guests.has(socket)) return;
      heard += data.toString('latin1');
      if (heard.length > LONGEST_GREETING) socket.destroy();
      if (!heard.includes('\n')) return;
      if (!same(heard.trim(), token)) return socket.destroy();
      socket.setTimeout(0);
      guests.add(socket);
      clearTimeout(patience);
      socket.write(`${JSON.stringify(news)}\n`);
    });
    socket.on('close', () => {
      if (!guests.delete(socket) || guests.size > 0) return;
      clearTimeout(patience);
      patience = setTimeout(onDeserted, graceMs);
    });
  });

  return new Promise((resolve, reject) => {
    door.once('error', reject);
    door.listen(0, '127.0.0.1', () => {
      const address = door.address();
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        announce: (message) => {
          news = message;
          for (const guest of guests) guest.write(`${JSON.stringify(message)}\n`);
        },
        close: () => closeDoor(door, guests),
      });
    });
  });
}

/** @param {import('node:net').Server} door @param {Set<import('node:net').Socket>} guests */
async function closeDoor(door, guests) {
  door.close();
  await Promise.all([...guests].map((guest) => new Promise((done) => guest.end(() => done(undefined)))));
  for (const guest of guests) guest.destroy();
}

/** @param {string} said @param {string} token */
function same(said, token) {
  return (
    said.length === token.length && timingSafeEqual(Buffer.from(said, 'latin1'), Buffer.from(token, 'latin1'))
  );
}
