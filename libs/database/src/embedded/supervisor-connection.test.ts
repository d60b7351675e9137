import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { connectToSupervisor } from './supervisor-connection.js';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

/** A data directory whose supervisor resets every connection when it receives data. */
async function startResettingSupervisor(): Promise<string> {
  const server = createServer((socket) => {
    socket.once('data', () => socket.resetAndDestroy());
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const home = await mkdtemp(join(tmpdir(), 'supervisor-connection-'));
  undo.push(
    () => server.close(),
    () => rm(home, { recursive: true }),
  );
  const { port } = server.address() as AddressInfo;
  await writeFile(join(home, 'keeper.json'), JSON.stringify({ port, token: 'token' }));
  return home;
}

it('a supervisor that resets the connection counts as gone, without an uncaught exception', async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', note);
  undo.push(() => {
    process.off('uncaughtException', note);
    for (const listener of others) process.on('uncaughtException', listener);
  });
  const connection = await connectToSupervisor(await startResettingSupervisor());
  await new Promise<void>((resolve) => connection?.onClose(resolve));
  expect(connection).toBeDefined();
  expect(uncaught).toEqual([]);
});
