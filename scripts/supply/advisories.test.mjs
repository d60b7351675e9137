import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  fetchAdvisories,
  findAuditProblems,
  findExceptionProblems,
  parseAuditReport,
} from './advisories.mjs';

const ADVISORY = {
  id: 'GHSA-aaaa-bbbb-cccc',
  packageName: 'left',
  severity: 'high',
  title: 'A vulnerability',
};
const LEFT_METADATA = {
  name: 'left',
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name: 'left', version: '1.0.0' } },
};
const makeException = (changes) => ({
  id: ADVISORY.id,
  reason: 'never called',
  until: '2030-01-31',
  ...changes,
});

describe('advisories', () => {
  it('are problems unless an exception names them', () => {
    expect(findAuditProblems([ADVISORY], [])).toEqual([
      'GHSA-aaaa-bbbb-cccc (high) in left: A vulnerability',
    ]);
    expect(findAuditProblems([ADVISORY], [makeException()])).toEqual([]);
  });
  it('that no longer exist make their exceptions problems', () => {
    expect(findAuditProblems([], [makeException()])).toEqual([
      'exception GHSA-aaaa-bbbb-cccc matches no advisory: remove it',
    ]);
  });
});

describe('an audit exception', () => {
  it.each([
    [{ id: '' }, 'has no id'],
    [{ reason: ' ' }, 'has no reason'],
    [{ until: undefined }, 'has no date in until'],
    [{ until: '2030-02-31' }, 'has no date in until'],
    [{ until: '2029-12-31' }, 'expired on 2029-12-31'],
  ])('%j is invalid', (changes, reason) => {
    expect(findExceptionProblems([makeException(changes)], '2030-01-01')).toEqual([
      expect.stringContaining(reason),
    ]);
  });
  it('is valid on its last day', () => {
    expect(findExceptionProblems([makeException()], '2030-01-31')).toEqual([]);
  });
});

describe('npm audit of a project', () => {
  let folder;
  let server;
  let address;
  let auditResponse;
  const auditRequests = [];

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
      const { status, json } =
        request.method === 'POST' ? auditResponse : { status: 200, json: LEFT_METADATA };
      if (request.method === 'POST')
        auditRequests.push(`${request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body}`);
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
  const audit = () => fetchAdvisories(folder, [`--registry=${address}`, `--cache=${join(folder, 'cache')}`]);

  it('returns the advisories of production packages only', async () => {
    const url = `https://advisories.example/${ADVISORY.id}`;
    const { severity, title } = ADVISORY;
    const advisory = { id: 1, url, title, severity, vulnerable_versions: '<2.0.0' };
    auditResponse = { status: 200, json: { left: [advisory] } };
    expect(await audit()).toEqual({ advisories: [ADVISORY] });
    expect(auditRequests.join()).toContain('left');
    expect(auditRequests.join()).not.toContain('right');
  });
  it('reports a registry without audit', async () => {
    auditResponse = { status: 405, json: {} };
    expect((await audit()).unreachable).toMatch(/^the registry answered 405/);
  });
});

describe('an audit report without advisories', () => {
  it('is unreachable without a network', () => {
    const message = 'request to http://127.0.0.1:1/ failed, reason: connect ECONNREFUSED 127.0.0.1:1';
    expect(parseAuditReport({ json: { message }, stderr: '' })).toEqual({
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
  ])('is an error when npm itself failed: %j %s', (json, stderr, reason) => {
    expect(() => parseAuditReport({ json, stderr })).toThrow(`npm audit failed: `);
    expect(() => parseAuditReport({ json, stderr })).toThrow(reason);
  });
});
