import { createServer } from 'node:net';
import { UserFacingError } from '../user-facing-error.mjs';

const USUAL = 3000;

/** @param {string | undefined} text of PORT; empty is as good as absent @throws UserFacingError when it is no port */
export function parsePort(text) {
  const port = text ? Number(text) : USUAL;
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port;
  throw new UserFacingError(`PORT is ${text}; it must be a whole number from 1 to 65535.`);
}

/** @param {number} port @throws UserFacingError when another program has it */
export async function assertPortFree(port) {
  const taken = await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(error.code === 'EADDRINUSE'));
    probe.listen(port, () => probe.close(() => resolve(false)));
  });
  if (taken) {
    throw new UserFacingError(
      `Port ${port} is in use by another program. Choose another one: PORT=${port < 65535 ? port + 1 : USUAL} npm run demo`,
    );
  }
}
