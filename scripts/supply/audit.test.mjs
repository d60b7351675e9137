import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askAdvisories, readAnswer } from './ask-advisories.mjs';
import { judgeAdvisories, judgeExceptions } from './judge-audit.mjs';

const HOLE = { id: 'GHSA-aaaa-bbbb-cccc', packageName: 'left', severity: 'high', title: 'A hole' };
const ABOUT_LEFT = {
  name: 'left',
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name: 'left', version: '1.0.0' } },
};
const exception = (changes) => ({ id: HOLE.id, reason: 'never called', until: '2030-01-31', ...changes });

describe('advisories', () => {
  it('fail when no exception covers them', () => {
    expect(judgeAdvisories([HOLE], [])).toEqual(['GHSA-aaaa-bbbb-cccc (high) in left: A hole']);
    expect(judgeAdvisories([HOLE], [exception()])).toEqual([]);
  });
  it('that are gone take their exception with them', () => {
    expect(judgeAdvisories([], [exception()])).toEqual([
      'exception GHSA-aaaa-bbbb-cccc covers nothing any more: strike it',
    ]);
  });
});

describe('an exception', () => {
  it.each([
    [{ id: '' }, 'has no id'],
    [{ reason: ' ' }, 'has no reason'],
    [{ until: undefined }, 'has no day in until'],
    [{ until: '2030-02-31' }, 'has no day in until'],
    [{ until: '2029-12-31' }, 'ended on 2029-12-31'],
  ])('%j is refused', (changes, reason) => {
    expect(judgeExceptions([exception(changes)], '2030-01-01')).toEqual([expect.stringContaining(reason)]);
  });
  it('holds to the end of its last day', () => {
    expect(judgeExceptions([exception()], '2030-01-31')).toEqual([]);
  });
});

describe('npm, asked about a project', () => {
  let folder;
  let server;
  let address;
  let answer;
  const asked = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audited-'));
    const project = {
      name: 'audited',
      version: '1.0.0',
      dependencies: { left: '1.0.0' },
      devDependencies: { right: '2.0.0' },
    };
    const lock = {
      ...project,
      lockfileVersion: 3,
      packages: {
        '': project,
        'node_modules/left': { version: '1.0.0', integrity: 'sha512-abc' },
        'node_modules/right': { version: '2.0.0', integrity: 'sha512-abc', dev: true },
      },
    };
    await writeFile(join(folder, 'package.json'), JSON.stringify(project));
    await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
    const serve = async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const { status, json } = request.method === 'POST' ? answer : { status: 200, json: ABOUT_LEFT };
      if (request.method === 'POST')
        asked.push(`${request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body}`);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    };
    server = createServer((request, response) => void serve(request, response));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${server.address().port}/`;
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  const ask = () => askAdvisories(folder, [`--registry=${address}`, `--cache=${join(folder, 'cache')}`]);

  it('tells the advisories, those of packages for building and tests left out', async () => {
    const url = `https://advisories.example/${HOLE.id}`;
    const { severity, title } = HOLE;
    const advisory = { id: 1, url, title, severity, vulnerable_versions: '<2.0.0' };
    answer = { status: 200, json: { left: [advisory] } };
    expect(await ask()).toEqual({ advisories: [HOLE] });
    expect(asked.join()).toContain('left');
    expect(asked.join()).not.toContain('right');
  });
  it('tells that the registry answers no such question', async () => {
    answer = { status: 405, json: {} };
    expect((await ask()).unreachable).toMatch(/^the registry answered 405/);
  });
});

describe('what npm says instead of advisories', () => {
  it('is no verdict when the line is dead', () => {
    const message = 'request to http://127.0.0.1:1/ failed, reason: connect ECONNREFUSED 127.0.0.1:1';
    expect(readAnswer({ answer: { message }, said: '' })).toEqual({
      unreachable: 'the network cannot be reached',
    });
  });
  it.each([
    [
      { error: { summary: 'This command requires an existing lockfile.' } },
      '',
      'requires an existing lockfile',
    ],
    [undefined, 'spawn npm ENOENT', 'spawn npm ENOENT'],
  ])('is a failure when npm itself failed: %j %s', (answer, said, reason) => {
    expect(() => readAnswer({ answer, said })).toThrow(`npm audit failed: `);
    expect(() => readAnswer({ answer, said })).toThrow(reason);
  });
});
