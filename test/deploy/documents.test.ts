import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');
/** Without what says how a block of code is tested. */
const readPage = (path: string) => read(path).replaceAll(/^( *```\w*).*$/gm, '$1');
const list = (folder: string, ending: string) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`);

/** Not that about upgrades, which names what former versions had. */
const PAGES = [
  ...list('docs/operating', '.md').filter((path) => !path.endsWith('upgrades.md')),
  ...['docs/scaling.md', 'docs/guide/self-hosting.md'],
];
const MANIFESTS = list('deploy/kubernetes', '.yaml');
/** Variables of other programs. */
const OTHERS = new Set(['LC_ALL', 'MALLOC_TRIM_THRESHOLD_', 'MINIO_API_CORS_ALLOW_ORIGIN']);
const SETTING = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+_?(?![\w/])/g;

describe('the pages for operators', () => {
  it('name only settings that exist, in the service or in the files of deploy', () => {
    const files = [
      ...list('deploy/compose', '.yml'),
      ...['deploy/compose/.env.example', 'deploy/Containerfile', 'docs/configuration.md'],
      ...MANIFESTS,
    ];
    const known = new Set([...OTHERS, ...files.flatMap((path) => read(path).match(SETTING) ?? [])]);
    const named = PAGES.flatMap((page) =>
      (readPage(page).match(SETTING) ?? []).map((name) => ({ page, name })),
    );
    expect(named.length).toBeGreaterThan(200);
    // JOB_ID and its like stand for a value.
    expect(named.filter(({ name }) => !known.has(name) && !name.endsWith('_ID'))).toEqual([]);
  });

  it('name only files of deploy that exist', () => {
    const named = PAGES.flatMap((page) =>
      [...readPage(page).matchAll(/(?<!exec )\bdeploy\/[\w./-]*\w/g)].map(([path]) => ({ page, path })),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(({ path }) => !existsSync(`${ROOT}${path}`))).toEqual([]);
  });

  it('name only npm commands of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = PAGES.flatMap((page) =>
      [...read(page).matchAll(/\bnpm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => ({ page, name })),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
  });

  it('name only metrics of the page about monitoring', () => {
    const metrics = new Set(
      [...read('docs/operating/monitoring.md').matchAll(/^\| `(zephyr_\w+)`/gm)].map(([, name]) => name),
    );
    const named = PAGES.flatMap((page) =>
      [...read(page).matchAll(/\bzephyr_[a-z_]+\b/g)].map(([name]) => ({ page, name })),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ name }) => !metrics.has(name))).toEqual([]);
  });
});

describe('the page about containers', () => {
  const page = read('docs/operating/containers.md');

  it('starts only services of the Compose files', () => {
    const names = ['one-box', 'split', 'observability'].flatMap((name) => {
      const { services } = parse(read(`deploy/compose/${name}.yml`), { merge: true }) as { services: object };
      return Object.keys(services);
    });
    const commands = [
      ...page.matchAll(/docker compose (?:-f [\w.-]+ )+(?:exec|up -d(?: --no-deps)?)((?: [a-z]+\d*)+)/g),
    ];
    const used = commands.map(([text, services = '']) =>
      text.includes(' exec ') ? services.trim().split(' ').slice(0, 1) : services.trim().split(' '),
    );
    expect(used.flat().length).toBeGreaterThan(3);
    expect(used.flat().filter((service) => !names.includes(service))).toEqual([]);
  });

  it('creates every secret that the Compose files require', () => {
    const [, created = ''] = /^for name in (.*); do$/m.exec(page) ?? [];
    const required = list('deploy/compose', '.yml').flatMap((path) =>
      [...read(path).matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name = '']) => name),
    );
    expect(created.split(' ')).toEqual(expect.arrayContaining([...new Set(required)]));
  });

  it('gives several machines the same secrets, which its commands make at random', () => {
    const [sentence = expect.unreachable()] =
      /^- On several machines [^.]*/m.exec(page.replaceAll('`.env`', '')) ?? [];
    expect(sentence).toContain('`SERVICE_SECRET`');
    expect(sentence).toContain('`ENCRYPTION_KEYS`');
  });

  it('makes secrets that nobody else reads, and keeps those that exist', () => {
    const [, code = ''] = /^```sh[^\n]*\n(cd deploy\/compose\n[\s\S]*?)^```$/m.exec(page) ?? [];
    const folder = mkdtempSync(join(tmpdir(), 'zephyr-compose-page-'));
    const compose = join(folder, 'deploy/compose');
    const follow = () => {
      execFileSync('sh', ['-c', `umask 022\nset -e\n${code}`], { cwd: folder });
      return readFileSync(join(compose, '.env'), 'utf8');
    };
    try {
      mkdirSync(compose, { recursive: true });
      copyFileSync(`${ROOT}deploy/compose/.env.example`, join(compose, '.env.example'));
      const made = follow();
      expect(made).toMatch(/^SERVICE_SECRET=[0-9a-f]{64}$/m);
      expect(statSync(join(compose, '.env')).mode & 0o777).toBe(0o600);
      expect(follow()).toBe(made);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the page about Kubernetes', () => {
  const page = read('docs/operating/kubernetes.md');
  const manifests = MANIFESTS.map(read).join('\n---\n');

  it('has the overlays, ports and times of the manifests', () => {
    const overlays = readdirSync(`${ROOT}deploy/kubernetes/overlays`);
    const rows = [...page.matchAll(/^\| `([\w-]+)` +\|/gm)].map(([, name = '']) => name);
    expect(rows.toSorted()).toEqual(overlays.toSorted());
    const [egress = ''] = /name: zephyr-egress[\s\S]*/.exec(manifests) ?? [];
    const ports = [...(egress.split('\n---\n')[0]?.matchAll(/port: (\d+)/g) ?? [])].map(([, port]) =>
      Number(port),
    );
    const [, named = ''] = /example settings \(([\d, ]+)\)/.exec(page) ?? [];
    const DNS = 53;
    expect(new Set(named.split(', ').map(Number))).toEqual(new Set(ports.filter((port) => port !== DNS)));
    for (const [text, line] of [
      ['`terminationGracePeriodSeconds` (65)', 'terminationGracePeriodSeconds: 65'],
      ['`DRAIN_SECONDS` (10)', "DRAIN_SECONDS: '10'"],
      ['`SHUTDOWN_SECONDS` (45)', "SHUTDOWN_SECONDS: '45'"],
      ['from zero to 50', 'maxReplicaCount: 50'],
      ['KEDA (10 s)', 'pollingInterval: 10\n'],
      ['zero after ten minutes', 'cooldownPeriod: 600'],
      ['zephyr.metrics=true', "zephyr.metrics: 'true'"],
      ['zephyr.json', 'localhostProfile: zephyr.json'],
    ] as const) {
      expect(page).toContain(text);
      expect(manifests).toContain(line);
    }
  });

  it('says that KEDA starts nothing with a wrong URL, and how to see that', () => {
    const [item = expect.unreachable()] =
      /^- [^\n]*wrong `KEDA_DATABASE_URL`[\s\S]*?(?=^- )/m.exec(page) ?? [];
    expect(item).toContain('**KEDA changes nothing**');
    expect(item).toContain('`kubectl --namespace zephyr get scaledobject` must say `READY` `True`');
    expect(item).toMatch(/`fallback` runs one processor only if a query fails after KEDA has connected/);
  });

  it('looks at the sandbox where media programs run', () => {
    const [, name = expect.unreachable()] = /exec deploy\/([\w-]+) -- \S+ doctor/.exec(page) ?? [];
    expect(name).toBe('zephyr-processor');
    expect(read('deploy/kubernetes/base/processor.yaml')).toContain(`name: ${name}\n`);
  });

  it('creates the secret with what the manifests read from it', () => {
    const created = [...page.matchAll(/--from-literal=([A-Z0-9_]+)=/g)].map(([, name = '']) => name);
    const [, named = ''] = /which you create, has ([\s\S]*?) and, if/.exec(manifests) ?? [];
    expect(created.toSorted()).toEqual((named.match(/[A-Z][A-Z0-9_]+/g) ?? []).toSorted());
  });
});
