import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import { runProgram } from './support/program.js';
import { Service } from './support/service.js';

/** Long and of unrelated words, so that nothing else refuses it. */
const BREACHED = 'correct horse battery staple';
const REFUSED = {
  status: 422,
  body: { errors: [{ field: 'password', message: expect.stringContaining('data breach') as string }] },
};

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();
const HASHES = Array.from({ length: 200 }, (_, index) => sha1(`other ${index}`));

let folder: string;
let path: string;
let service: Service;
let users: ConsoleUsers;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zephyr-breached-'));
  path = join(folder, 'hashes.txt');
  await writeFile(path, `${[...HASHES, sha1(BREACHED)].toSorted().join(':12\r\n')}:12\r\n`);
  service = await Service.start({ BREACHED_PASSWORDS_FILE: path, SIGN_IN_ATTEMPTS_PER_ADDRESS: '1000' });
  users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a breached password is refused', () => {
  it('in the profile', async () => {
    const browser = await users.createWithPassword('profile@example.org');
    const change = (password: string) =>
      browser.request('PUT', 'profile/password', { current_password: PASSWORD, password });
    expect(await change(BREACHED)).toMatchObject(REFUSED);
    expect((await change(`${BREACHED} 2`)).status).toBe(204);
  });

  it('by a link for a new password, which then still works', async () => {
    await users.createWithPassword('link@example.org');
    const { stdout } = await service.admin('users', 'link', 'link@example.org', '--set-password');
    const token = stdout.trim().split('#')[1];
    const set = (password: string) =>
      new ConsoleClient(service).request('POST', 'sign-in/set-password', { token, password });
    expect(await set(BREACHED)).toMatchObject(REFUSED);
    expect((await set('copper meadow 77')).status).toBe(204);
  });

  it('by a new user with an invitation, which then still works', async () => {
    const owner = await users.createWithPassword('owner@example.org');
    const invited = { email: 'invited@example.org', role: 'member' };
    const { body } = await owner.request('POST', 'invitations', invited);
    const token = String(body.link).split('#')[1];
    const accept = (password: string) =>
      new ConsoleClient(service).request('POST', 'invitation/accept', { token, name: 'Ines', password });
    expect(await accept(BREACHED)).toMatchObject(REFUSED);
    expect((await accept(PASSWORD)).status).toBe(200);
  });
});

describe('the file of breached passwords', () => {
  const check = async (file: string) => {
    const env = { ...service.settings, BREACHED_PASSWORDS_FILE: file };
    const { stdout } = await runProgram('admin', ['doctor', '--json'], env);
    const findings = JSON.parse(stdout) as { name: string; status: string; detail: string }[];
    return findings.find(({ name }) => name === 'passwords');
  };

  it('is checked by doctor', async () => {
    expect(await check(path)).toMatchObject({ status: 'ok', detail: expect.stringContaining(path) });
    const missing = await check(join(folder, 'missing.txt'));
    expect(missing).toMatchObject({
      status: 'problem',
      detail: expect.stringMatching(/^BREACHED_PASSWORDS_FILE: .*missing\.txt cannot be read/),
    });
  });

  it('keeps the API from starting if it is not sorted, with one line that says why', async () => {
    const unsorted = join(folder, 'unsorted.txt');
    await writeFile(unsorted, HASHES.map((hash) => `${hash}:12\n`).join(''));
    expect(await check(unsorted)).toMatchObject({ status: 'problem' });
    const env = { ...service.settings, BREACHED_PASSWORDS_FILE: unsorted };
    const { code, stdout, stderr } = await runProgram('api', [], env);
    expect(code).not.toBe(0);
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('BREACHED_PASSWORDS_FILE'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('is not sorted by hash');
  });
});
