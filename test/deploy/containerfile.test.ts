import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUILD_SOURCES } from '../../scripts/lib/build.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const readLines = async (path: string) => (await readFile(`${ROOT}${path}`, 'utf8')).split('\n');

/** The paths that the Containerfile copies from the checkout, not from another stage. */
async function listCopiedPaths(): Promise<string[]> {
  const lines = await readLines('deploy/Containerfile');
  return lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
}

async function listAdmittedPaths(): Promise<string[]> {
  const lines = await readLines('.dockerignore');
  return lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
}

async function listPathsNotAdmitted(paths: readonly string[]): Promise<string[]> {
  const admitted = await listAdmittedPaths();
  return paths.filter((path) => !admitted.some((entry) => path === entry || path.startsWith(`${entry}/`)));
}

describe('the Containerfile', () => {
  it('copies only paths that exist', async () => {
    const paths = await listCopiedPaths();
    expect(paths.length).toBeGreaterThan(3);
    expect(paths.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });

  it('copies only paths that .dockerignore admits', async () => {
    const copied = (await listCopiedPaths()).filter((path) => path !== '.');
    expect(await listPathsNotAdmitted(copied)).toEqual([]);
  });

  it('gets all that the build reads: .dockerignore admits it', async () => {
    expect(BUILD_SOURCES).toContain('packages');
    expect(await listPathsNotAdmitted(BUILD_SOURCES)).toEqual([]);
  });

  it('gets no path from .dockerignore that does not exist', async () => {
    const admitted = await listAdmittedPaths();
    expect(admitted.filter((path) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });

  it('never gets the settings of an installation: .dockerignore ends by excluding them', async () => {
    expect((await readLines('.dockerignore')).findLast((line) => line !== '')).toBe('**/.env');
  });

  it('runs only the copied scripts', async () => {
    const copied = (await listCopiedPaths()).map((path) => path.split('/').at(-1));
    const lines = await readLines('deploy/Containerfile');
    const used = lines.flatMap((line) => line.match(/(?<=\s)\/[\w-]+\.(?:sh|ts)\b/g) ?? []);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((path) => !copied.includes(path.slice(1)))).toEqual([]);
  });

  it('declares the build arguments that the page about containers names', async () => {
    const page = (await readLines('docs/operating/containers.md')).join('\n');
    const named = [...page.matchAll(/--build-arg (\w+)=/g)].map(([, name = '']) => name);
    const declared = (await readLines('deploy/Containerfile')).flatMap(
      (line) => /^ARG (\w+)/.exec(line)?.slice(1) ?? [],
    );
    expect(named).toContain('VARIANT');
    expect(named.filter((name) => !declared.includes(name))).toEqual([]);
    expect(existsSync(`${ROOT}${/ -f (deploy\/\S+) /.exec(page)?.[1]}`)).toBe(true);
    expect(existsSync(`${ROOT}${/seccomp=(\S+)/.exec(page)?.[1]}`)).toBe(true);
  });
});

describe('the arguments of a build, as deploy/image/build-arguments.sh prints them', () => {
  const SCRIPT = 'deploy/image/build-arguments.sh';
  let checkout: string;
  const run = async (command: string, ...args: string[]) =>
    (await promisify(execFile)(command, args, { cwd: checkout })).stdout.trim();
  const git = (...args: string[]) => run('git', '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args);
  const listArguments = async () => (await run('sh', SCRIPT)).split(' ').filter((word) => word.includes('='));

  beforeEach(async () => {
    checkout = await mkdtemp(join(tmpdir(), 'checkout-'));
    for (const path of ['package.json', SCRIPT])
      await cp(`${ROOT}${path}`, join(checkout, path), { recursive: true });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message=x');
  });
  afterEach(() => rm(checkout, { recursive: true }));

  it('are the version of package.json, the commit and the time', async () => {
    const { version } = JSON.parse((await readLines('package.json')).join('\n')) as { version: string };
    const [created = '', ...others] = (await listArguments()).toReversed();
    expect(others).toEqual([`REVISION=${await git('rev-parse', 'HEAD')}`, `VERSION=${version}`]);
    const age =
      Date.now() - Date.parse(/^CREATED=(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/.exec(created)?.[1] ?? '');
    expect(age).toBeGreaterThanOrEqual(0);
    expect(age).toBeLessThan(60_000);
  });

  it.each(['package.json', 'new-file'])('say that %s is not as in the commit', async (name) => {
    await appendFile(join(checkout, name), '\n');
    expect(await listArguments()).toContain(`REVISION=${await git('rev-parse', 'HEAD')}-dirty`);
  });

  it.each([
    ['https://example.com/owner/name.git', 'https://example.com/owner/name'],
    ['https://user:secret@example.com/owner/name', 'https://example.com/owner/name'],
    ['git@example.com:owner/name.git', 'https://example.com/owner/name'],
    ['ssh://git@example.com:2222/owner/name.git', 'https://example.com/owner/name'],
    ['/home/somebody/name', null],
  ])('name the source of a clone of %s as %s', async (origin, source) => {
    await git('remote', 'add', 'origin', origin);
    const labels = (await listArguments()).slice(3);
    expect(labels).toEqual(source === null ? [] : [`org.opencontainers.image.source=${source}`]);
  });

  it('fill all labels of the image, and are in every documented build', async () => {
    const names = (await listArguments()).map((argument) => argument.replace(/=.*/, ''));
    const lines = await readLines('deploy/Containerfile');
    const labels = lines.flatMap((line) => /^(?:LABEL)? +([\w.]+)="(.*)"/.exec(line)?.slice(1, 3) ?? []);
    const used = labels.flatMap((label) => label.match(/(?<=\$\{)\w+/g) ?? []);
    expect(used.toSorted()).toEqual(['VARIANT', ...names].toSorted());
    const page = [...lines, ...(await readLines('docs/operating/containers.md'))];
    const builds = page.filter((line) => /^(?:# +)?docker build -f deploy\/Containerfile /.test(line));
    expect(builds.length).toBeGreaterThan(4);
    expect(builds.filter((line) => !line.includes(`$(sh ${SCRIPT}) `))).toEqual([]);
  });
});
