import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getConfigPath } from '../config.js';
import {
  InProcessCommandLine,
  type InProcessCommandLineOptions,
} from '../testing/in-process-command-line.js';
import { loginCommand } from './login.js';

const KEY = 'zk_made_for_this_machine';

let server: Server;
let url: string;
let requests: number;

/** A service that approves every sign-in, and fails when it is asked for the account. */
beforeEach(async () => {
  const answers: Record<string, object> = {
    start: {
      device_code: 'secret',
      user_code: 'WDJB-MJHT',
      verification_uri: 'http://fake/console/command-line',
      expires_in: 600,
      interval: 0.01,
    },
    poll: { state: 'approved', api_key: KEY },
  };
  const failure = { status: 403, code: 'permission_denied', title: 'Denied', detail: 'The service fails.' };
  requests = 0;
  server = createServer((request, response) => {
    requests += 1;
    const name = request.url?.split('/').at(-1) ?? '';
    const body = answers[name] ?? failure;
    const status = body === failure ? failure.status : 200;
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function login(
  stdin: AsyncIterable<Uint8Array> & { isTTY?: boolean },
  options: Partial<InProcessCommandLineOptions> = {},
) {
  const commandLine = await InProcessCommandLine.create({ commands: [loginCommand], stdin, ...options });
  const result = await commandLine.run(['login', '--server', url]);
  const path = getConfigPath({ homeFolder: commandLine.home, env: {} });
  const stored = await readFile(path, 'utf8').catch(() => null);
  await rm(commandLine.home, { recursive: true, force: true });
  return { ...result, path, stored };
}

async function* createInput(text: string) {
  await Promise.resolve();
  yield Buffer.from(text);
}

describe('a key', () => {
  it('that was made for this machine is stored, although the service fails afterwards', async () => {
    const { code, stderr, path, stored } = await login(Object.assign(createInput(''), { isTTY: true }));
    expect(code).not.toBe(0);
    expect(JSON.parse(stored ?? '')).toEqual({ server: url, api_key: KEY });
    expect(stderr).toContain(path);
  });

  it.each([
    ['there is no home folder', { knowsHome: false }, 'Set HOME'],
    [
      'it cannot be written',
      { env: { XDG_CONFIG_HOME: '/dev/null' } },
      'cannot be stored in /dev/null/zephyr',
    ],
  ])('is not made for a machine that cannot store it, as %s', async (_, options, message) => {
    const { code, stderr } = await login(Object.assign(createInput(''), { isTTY: true }), options);
    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
    expect(requests).toBe(0);
  });

  it('that was typed is stored after the service has accepted it only', async () => {
    const { code, stored } = await login(createInput('zk_typed'));
    expect(code).not.toBe(0);
    expect(stored).toBeNull();
  });
});
