import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = `${ROOT}deploy/compose`;
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.yml'));
/** Of the Compose files themselves, not of the service. */
const OWN_VARIABLES = new Set(['ZEPHYR_IMAGE', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'GRAFANA_PASSWORD']);

interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  volumes?: string[];
  security_opt?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  stop_grace_period?: string;
}

const read = (name: string) =>
  parse(readFileSync(`${FOLDER}/${name}`, 'utf8'), { merge: true }) as {
    services: Record<string, ComposeService>;
    volumes?: Record<string, null>;
  };
const settings = new Set(
  [...readFileSync(`${ROOT}docs/configuration.md`, 'utf8').matchAll(/^\| `([A-Z][A-Z0-9_]+)`/gm)].map(
    ([, name = '']) => name,
  ),
);
const example = readFileSync(`${FOLDER}/.env.example`, 'utf8');
const exampleNames = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
const isOurs = ({ image }: ComposeService) => image.includes('zephyr');

describe('.env.example', () => {
  it('names settings of the service, or variables of the Compose files', () => {
    expect(exampleNames.length).toBeGreaterThan(15);
    expect(exampleNames.filter((name) => !settings.has(name) && !OWN_VARIABLES.has(name))).toEqual([]);
  });

  it('has every variable without a default that the Compose files use', () => {
    const used = FILES.flatMap((name) => [
      ...readFileSync(`${FOLDER}/${name}`, 'utf8').matchAll(/\$\{([A-Z0-9_]+)\}/g),
    ]).map(([, name = '']) => name);
    expect(used).toContain('POSTGRES_PASSWORD');
    expect(used.filter((name) => !exampleNames.includes(name))).toEqual([]);
  });
});

describe.each(FILES)('%s', (name) => {
  const services = Object.entries(read(name).services);

  it('mounts files that exist and volumes that it declares', () => {
    for (const [service, { volumes = [], security_opt: options = [] }] of services) {
      const sources = volumes.map((volume) => volume.split(':')[0] ?? '');
      const profiles = options.flatMap((option) => /^seccomp:(.*)/.exec(option)?.[1] ?? []);
      for (const source of [...sources, ...profiles])
        if (source.startsWith('.')) expect(existsSync(`${FOLDER}/${source}`), source).toBe(true);
        else expect(Object.keys(read(name).volumes ?? {}), service).toContain(source);
    }
  });

  it('gives programs settings that exist, and runs them without privileges', () => {
    for (const [service, given] of services.filter(([, each]) => isOurs(each))) {
      expect(
        Object.keys(given.environment ?? {}).filter((each) => !settings.has(each)),
        service,
      ).toEqual([]);
      expect(given, service).toMatchObject({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '60s' });
      expect(given.security_opt).toEqual(['no-new-privileges:true', 'seccomp:../containers/seccomp.json']);
    }
  });
});

describe('the seccomp profile', () => {
  const profile = JSON.parse(readFileSync(`${ROOT}deploy/containers/seccomp.json`, 'utf8')) as {
    defaultAction: string;
    syscalls: { names: string[]; action: string }[];
  };
  const allowed = profile.syscalls.flatMap(({ names, action }) => (action === 'SCMP_ACT_ALLOW' ? names : []));

  it('allows what bubblewrap needs and forbids what is not named', () => {
    expect(profile.defaultAction).toBe('SCMP_ACT_ERRNO');
    expect(allowed).toEqual(expect.arrayContaining(['clone', 'unshare', 'mount', 'umount2', 'pivot_root']));
  });

  it.each(['bpf', 'ptrace', 'kexec_load', 'init_module', 'setns', 'io_uring_setup', 'open_by_handle_at'])(
    'forbids %s',
    (name) => expect(allowed).not.toContain(name),
  );
});
