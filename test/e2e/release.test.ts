import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSamples, type Sample } from '../../scripts/guide/list-samples.mjs';
import { listEntriesRecursively } from '../support/list-entries-recursively.js';
import { findFreePort, spawnBoundToParent } from '../support/child-process.js';
import { describePrunedInstall } from './pruned-install.suite.js';
import { synthesizeSpeech } from './support/audio.js';
import { Client } from './support/client.js';
import { findProcesses } from './support/processes.js';
import { buildEnvironment, type Environment, type ProgramResult } from './support/program.js';
import { ENTER_DISPOSABLE_MACHINE, HAS_DISPOSABLE_MACHINE } from './support/disposable-machine.js';
import { runGuidePageSamples } from './support/run-guide-page-samples.js';
import { until } from './support/until.js';
import { STAND_IN_FOR_SYSTEMD } from './support/stand-in-for-systemd.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IS_ROOT = process.getuid?.() === 0;
const NOBODY = 65_534;
const SETPRIV = '/usr/bin/setpriv';
/** A user other than the owner of the files, if the test may switch users. */
const RUN_AS_NOBODY =
  IS_ROOT && existsSync(SETPRIV)
    ? [SETPRIV, `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--inh-caps=-all']
    : [];

/** The page builds the release, installs it on a machine, and installs the units. */
const [page] = await listSamples('test/e2e/release.test.ts');
const [buildCommands, ...installCommands] = page.samples.filter(({ run: test }) => test !== undefined);

let version: string;
let temporaryDir: string;
let release: string;
let dataDir: string;
let env: Environment;

beforeAll(async () => {
  temporaryDir = await mkdtemp(join(tmpdir(), 'zephyr-release-'));
  chmodSync(temporaryDir, 0o755);
  release = join(temporaryDir, 'zephyr-1');
  dataDir = join(temporaryDir, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  if (IS_ROOT) chownSync(dataDir, NOBODY, NOBODY);
  ({ version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string });
  await follow(buildCommands ? [buildCommands] : [], ROOT);
  execFileSync('chmod', ['-R', 'a-w', release]);
  env = buildEnvironment({ DATA_DIR: dataDir, PORT: String(await findFreePort()), DRAIN_SECONDS: '0' });
  env['PATH'] = [await createPathWithoutNpm(), dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
}, 300_000);
afterAll(async () => {
  execFileSync('chmod', ['-R', 'u+w', temporaryDir]);
  await rm(temporaryDir, { recursive: true, force: true });
});

/** Runs code of the page. */
async function follow(samples: Sample[], cwd: string, settings: Environment = {}, enter?: string[]) {
  const problems = await runGuidePageSamples(
    { file: page.file, samples },
    {
      folder: cwd,
      env: buildEnvironment({ ...settings, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` }),
      replacements: {
        '-- /tmp/': `-- ${temporaryDir}/`,
        '-C /tmp ': `-C ${temporaryDir} `,
        // Compressing takes longer than building.
        '-czf ': `-cf ${temporaryDir}/`,
        '-xzf': '-xf',
        [`zephyr-${version}`]: 'zephyr-1',
        // No systemd runs on the machine.
        'enable --now': 'enable',
      },
      ...(enter && { enter }),
    },
  );
  expect(problems).toEqual([]);
}

/** A folder for PATH with a failing `npm`. */
async function createPathWithoutNpm(): Promise<string> {
  const folder = join(temporaryDir, 'path');
  await mkdir(folder);
  await writeFile(join(folder, 'npm'), '#!/bin/sh\necho "npm was called" >&2\nexit 97\n', { mode: 0o755 });
  return folder;
}

function run(command: string[], environ: Environment, cwd = '/'): Promise<ProgramResult> {
  const [program = '', ...args] = command;
  return new Promise((resolve, reject) => {
    execFile(
      program,
      args,
      { env: environ, cwd, timeout: 240_000, maxBuffer: 64 * 2 ** 20 },
      (error, stdout, stderr) => {
        if (error === null) resolve({ code: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else reject(error);
      },
    );
  });
}

const zephyr = (...args: string[]) => [...RUN_AS_NOBODY, join(release, 'bin', 'zephyr'), ...args];

/** Every file with its size and modification time. */
async function listContents(folder: string): Promise<string> {
  return (await run(['find', folder, '-printf', '%p %s %T@ %l\n'], buildEnvironment({}))).stdout;
}

describe('a release folder that belongs to another user and cannot be written to', () => {
  it('contains production packages only and the files that an operator needs', async () => {
    for (const path of [
      'bin/zephyr',
      'docs/operating.md',
      'docs/operating/deployment.md',
      'deploy',
      'CHANGELOG.md',
      'package-lock.json',
    ])
      expect(existsSync(join(release, path)), path).toBe(true);
    expect(existsSync(join(release, 'node_modules', 'vitest'))).toBe(false);
    const deployFiles = (await listEntriesRecursively(join(release, 'deploy'))).map(({ name }) => name);
    expect(deployFiles).toContain('.env.example');
    expect(deployFiles).not.toContain('.env');
    expect(
      (await listEntriesRecursively(join(release, 'dist'))).some(({ name }) => name.endsWith('.test.js')),
    ).toBe(false);
  });

  it('prints its version and commands from any folder', async () => {
    expect(await run(zephyr('--version'), env)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    const help = await run(zephyr('--help'), env, temporaryDir);
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Usage: zephyr \[/) });
  });

  it('passes its own doctor', async () => {
    const { code, stdout } = await run(zephyr('doctor', '--json'), env);
    const findings = JSON.parse(stdout) as { name: string; status: string }[];
    expect(findings.filter(({ status }) => status === 'problem')).toEqual([]);
    expect(code).toBe(0);
  });

  it('transcribes and stays unchanged', async () => {
    const before = await listContents(release);
    const [program = '', ...args] = zephyr('start');
    const service = spawnBoundToParent(program, args, { env, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
    const base = `http://127.0.0.1:${env['PORT']}`;
    await until('the service is ready', async () => (await fetch(`${base}/health/ready`)).ok, 90_000);
    const client = new Client(base, (await readFile(join(dataDir, 'dev-api-key'), 'utf8')).trim());
    const { job_id } = await client.submit(await synthesizeSpeech('There are ninety tables.'));
    expect((await client.events(job_id)).at(-1)).toMatchObject({ name: 'completed' });
    const running = (await findProcesses(dataDir)).map(({ command }) => command);
    for (const app of ['api', 'processor'])
      expect(running.some((command) => command.includes(`${release}/dist/apps/${app}/`))).toBe(true);
    service.kill('SIGTERM');
    await until('everything has ended', async () => (await findProcesses(dataDir)).length === 0, 60_000);
    expect(await listContents(release)).toBe(before);
  }, 240_000);
});

describePrunedInstall(() => release);

describe.runIf(HAS_DISPOSABLE_MACHINE)('a machine on which the page installs the release', () => {
  it('runs it from /opt/zephyr, keeps settings when the block is repeated, and systemd accepts and enables its units', async () => {
    const machine = join(temporaryDir, 'machine');
    await mkdir(machine);
    const aptConfig = join(temporaryDir, 'apt.conf');
    await writeFile(aptConfig, 'APT::Get::Upgrade "false";\n');
    const step = (code: string): Sample => ({ language: 'sh', run: 'this test', background: false, code });
    const checkUnits = (...units: string[]) => ({
      ...step(`systemd-analyze verify ${units.join(' ')} && echo valid`),
      prints: 'valid',
    });
    expect(installCommands).toHaveLength(6);
    const [install, installUnits, enableUnits, runDoctor, ...others] = installCommands as [
      ...[Sample, Sample, Sample, Sample],
      ...Sample[],
    ];
    const repeatInstallation = [
      step('echo LOG_LEVEL=warn >> /etc/zephyr/zephyr.env'),
      step('cp /etc/zephyr/zephyr.env earlier.env'),
      step(installUnits.code),
      { ...step('cat /etc/zephyr/zephyr.env'), prints: 'LOG_LEVEL=warn' },
      step('grep "^ENCRYPTION_KEYS=.\\{44\\}$" earlier.env && cmp earlier.env /etc/zephyr/zephyr.env'),
    ];
    const makeBackup = {
      ...step(`
eval "$(sed -n "s/^ExecStart=.bin.sh -c '\\(.*\\)'$/\\1/p" /etc/systemd/system/zephyr-backup.service | sed 's/%%/%/g; s/\\$\\$/$/g')"
ls /var/backups/zephyr/*`),
      prints: 'manifest.json',
    };
    const withoutSystemd = step(STAND_IN_FOR_SYSTEMD);
    const settings = { APT_CONFIG: aptConfig, SYSTEMD_OFFLINE: '1' };
    const enter = [...ENTER_DISPOSABLE_MACHINE, machine];
    await follow(
      [
        ...[install, installUnits, ...repeatInstallation, enableUnits],
        checkUnits('zephyr.service', 'zephyr-api@3001.service', 'zephyr-processor.service'),
        ...[withoutSystemd, runDoctor, ...others],
        checkUnits('zephyr-backup.service', 'zephyr-backup.timer'),
        makeBackup,
      ],
      temporaryDir,
      settings,
      enter,
    );
    expect(existsSync('/etc/zephyr/zephyr.env')).toBe(false);
  }, 240_000);
});

describe('a source checkout', () => {
  let checkout: string;
  const admin = (...args: string[]) => [
    process.execPath,
    join(checkout, 'scripts/run.mjs'),
    'admin',
    ...args,
  ];

  beforeAll(async () => {
    checkout = join(temporaryDir, 'checkout');
    await mkdir(checkout, { mode: 0o755 });
    for (const path of ['apps', 'libs', 'scripts', 'package.json', 'package-lock.json', 'nest-cli.json'])
      await cp(join(ROOT, path), join(checkout, path), { recursive: true });
    for (const path of ['tsconfig.json', 'tsconfig.build.json', 'CHANGELOG.md', 'docs', 'packages', 'dist'])
      await cp(join(ROOT, path), join(checkout, path), { recursive: true });
    // Links, because copying 600 MB takes seconds of CPU time; nothing changes these files.
    execFileSync('cp', ['-al', join(release, 'node_modules'), checkout]);
  });

  it.runIf(RUN_AS_NOBODY.length > 0)('owned by root runs operator commands of other users', async () => {
    const { code, stdout, stderr } = await run([...RUN_AS_NOBODY, ...admin('--version')], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+\.\d+/);
  });

  it('keeps its build while programs run from it, and reports changed sources', async () => {
    const main = join(checkout, 'dist/apps/api/src/main.js');
    const waiting = { ...env, DATABASE_URL: `postgres://127.0.0.1:${await findFreePort()}/none` };
    const api = spawnBoundToParent(process.execPath, [main], { env: waiting, stdio: 'ignore' });
    await writeFile(join(checkout, 'apps/api/src/main.ts'), '// another version\n');
    const before = await listContents(join(checkout, 'dist'));
    const { code, stderr } = await run(admin('--version'), buildEnvironment({}));
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^Using the existing build[^\n]*process ${api.pid}[^\n]*\n$`));
    expect(await listContents(join(checkout, 'dist'))).toBe(before);
    api.kill('SIGTERM');
  });
});

if (!HAS_DISPOSABLE_MACHINE)
  console.warn('Skipped, the installation of a release: it needs root, overlay file systems and systemd.');
if (RUN_AS_NOBODY.length === 0) console.warn('Skipped, a checkout of root: this test is not run by root.');
