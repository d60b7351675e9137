import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

let home: string;
let server: Server;
let other: string;
let unused: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'zephyr-cli-'));
  server = createServer((request, response) => {
    if (request.url?.startsWith('/json') === true) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"no route"}');
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>\n<p>Hello</p>\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  other = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const closed = createTcpServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  unused = `127.0.0.1:${(closed.address() as AddressInfo).port}`;
  await new Promise((resolve) => closed.close(resolve));
});
afterAll(async () => {
  server?.close();
  await rm(home, { recursive: true, force: true });
});

/** Runs the packed program; `unread` is an output that nobody reads. */
function zephyr(parameters: string[], unread?: 'stdout' | 'stderr') {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const program = join(inject('installedPackages'), 'node_modules', '.bin', 'zephyr');
    const env = { PATH: process.env['PATH'], HOME: home, ZEPHYR_API_KEY: 'none' };
    const child = spawn(program, parameters, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    if (unread !== undefined) child[unread].destroy();
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (texts.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (texts.stderr += String(chunk)));
    child.on('close', (code) => resolve({ code, ...texts }));
  });
}

/** Of an address: what it is, itself, and what is said of it. @param path that is requested */
const listWrongAddresses = (path: string): [string, () => string, () => string][] => [
  [
    'that nobody listens on',
    () => `http://${unused}`,
    () => `No response from http://${unused}: connect ECONNREFUSED`,
  ],
  ['of a page', () => `http://${other}`, () => `http://${other}${path} answered, but not as the service`],
  [
    'of another interface',
    () => `http://${other}/json`,
    () => `404 unknown: http://${other} sent no error of the service`,
  ],
];

describe('zephyr doctor', () => {
  it.each([
    ...listWrongAddresses('/api/v1/openapi.json'),
    ['of a server without TLS', () => `https://${other}`, () => `No response from https://${other}: `],
    [
      'whose host does not exist',
      () => 'http://no-such-host.invalid',
      () => 'No response from http://no-such-host.invalid: getaddrinfo',
    ],
  ])('names the URL and the cause in one line, with a URL %s', async (_, address, message) => {
    const { code, stdout, stderr } = await zephyr(['doctor', '--server', address()]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const [settings, service, ...rest] = stdout.trim().split('\n');
    expect(settings).toContain('ok   settings: ');
    expect(service).toContain(`FAIL service: ${message()}`);
    expect(rest).toEqual([]);
  });

  it('ends with 2 if the address is none', async () => {
    const { code, stderr } = await zephyr(['doctor', '--server', 'example.com']);
    expect(code).toBe(2);
    expect(stderr).toContain('must be an http or https URL, not example.com.');
  });
});

describe('zephyr jobs list', () => {
  it.each(listWrongAddresses('/api/v1/jobs'))(
    'names the URL and the cause in one line, with a URL %s',
    async (_, address, message) => {
      const { code, stdout, stderr } = await zephyr(['jobs', 'list', '--server', address()]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(`zephyr: ${message()}`)]);
    },
  );
});

describe('zephyr', () => {
  it.each([
    ['stdout', ['--help'], 0],
    ['stderr', ['nonsense'], 2],
    ['stderr', ['jobs', 'list', '--server', 'example.com'], 2],
  ] as const)('ends quietly when nobody reads its %s: %j', async (unread, parameters, code) => {
    expect(await zephyr([...parameters], unread)).toEqual({ code, stdout: '', stderr: '' });
  });
});
