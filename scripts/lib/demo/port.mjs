import { createServer } from 'node:net';
import { UserFacingError } from '../user-facing-error.mjs';

const DEFAULT_PORT = 3000;

/** @param {string | undefined} text value of PORT @throws UserFacingError for an invalid port */
export function parsePort(text) {
  const port = text ? Number(text) : DEFAULT_PORT;
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port;
  throw new UserFacingError(`PORT is ${text}; it must be a whole number from 1 to 65535.`);
}

/** @param {number} port @throws UserFacingError when the port is in use */
export async function assertPortFree(port) {
  const isInUse = await new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(error.code === 'EADDRINUSE'));
    probe.listen(port, () => probe.close(() => resolve(false)));
  });
  if (isInUse) {
    throw new UserFacingError(
      `Port ${port} is in use by another program. Choose another one: PORT=${port < 65535 ? port + 1 : DEFAULT_PORT} npm run demo`,
    );
  }
}
