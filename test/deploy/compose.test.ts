import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = `${ROOT}deploy/compose`;
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.yml'));
/** Settings that only the operator can know, and why .env.example does not name them nevertheless. */
const UNNAMED_SETTINGS = new Map([
  ['WORK_DIR', 'the volume has it'],
  ['SERVICE_SECRET_FALLBACKS', 'only while the secret is being changed (docs/operating/secrets.md)'],
  ['DEVELOPMENT_ACCOUNT', 'for development'],
  ['HEALTH_HOST', 'the container has one network'],
  ['MODELS_MIRROR', 'models are pulled by a command'],
  ['MODELS_CATALOGUE', 'models are pulled by a command'],
  ['OPENAI_FORM_FIELDS', 'for servers with fields of their own (docs/speech/remote-servers.md)'],
  ['STRIPE_API_URL', 'for tests'],
]);

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
    networks?: { default: { ipam: { config: { subnet: string; gateway: string }[] } } };
  };
/** By name, with the default as the documentation writes it. */
const settings = new Map(
  [
    ...readFileSync(`${ROOT}docs/configuration.md`, 'utf8').matchAll(
      /^\| `([A-Z][A-Z0-9_]+)` +\| (see text|\S+) +\|/gm,
    ),
  ].map(([, name = '', value = '']) => [name, value]),
);
/** A variable of a Compose file: `${NAME}`, `${NAME:-default}` or `${NAME:?message}`. */
const VARIABLE = /\$\{([A-Z0-9_]+)(?::([-?])([^}]*))?\}/g;
const variables = FILES.flatMap((name) =>
  [...readFileSync(`${FOLDER}/${name}`, 'utf8').matchAll(VARIABLE)].map(
    ([, variable = '', operator = '', argument = '']) => ({ variable, operator, argument }),
  ),
);
const example = readFileSync(`${FOLDER}/.env.example`, 'utf8');
const exampleNames = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
const isOurs = ({ image }: ComposeService) => image.includes('ZEPHYR_IMAGE');

describe('.env.example', () => {
  it('names settings of the service, or variables of the Compose files', () => {
    const own = new Set(variables.map(({ variable }) => variable));
    expect(exampleNames.length).toBeGreaterThan(40);
    expect(exampleNames.filter((name) => !settings.has(name) && !own.has(name))).toEqual([]);
  });

  it('names every variable of the Compose files, with the same default', () => {
    expect(variables.filter(({ variable }) => !exampleNames.includes(variable))).toEqual([]);
    for (const { variable, operator, argument } of variables)
      if (operator === '-') expect(example).toMatch(new RegExp(`^#?${variable}=.*${argument}$`, 'm'));
  });

  it('leaves exactly those empty that the Compose files require, and the keys for encryption', () => {
    const required = variables.filter(({ operator }) => operator === '?').map(({ variable }) => variable);
    const empty = [...example.matchAll(/^([A-Z0-9_]+)=$/gm)].map(([, name = '']) => name);
    expect(required).toContain('POSTGRES_PASSWORD');
    expect(new Set(empty)).toEqual(new Set([...required, 'ENCRYPTION_KEYS']));
  });

  it('names every setting that only the operator can know: those without a default', () => {
    const given = FILES.flatMap((name) =>
      Object.values(read(name).services).flatMap(({ environment = {} }) => Object.keys(environment)),
    );
    const unknown = [...settings].filter(([, value]) => ['unset', 'see text', 'none'].includes(value));
    expect(unknown.length).toBeGreaterThan(30);
    expect(
      unknown
        .map(([name]) => name)
        .filter(
          (name) => !exampleNames.includes(name) && !given.includes(name) && !UNNAMED_SETTINGS.has(name),
        ),
    ).toEqual([]);
    expect([...UNNAMED_SETTINGS.keys()].filter((name) => !settings.has(name))).toEqual([]);
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

it.each(['one-box.yml', 'split.yml'])(
  '%s believes what the proxy of its machine says about callers',
  (name) => {
    const { services, networks } = read(name);
    const { subnet, gateway } = networks?.default.ipam.config[0] ?? expect.unreachable();
    expect(`${gateway.slice(0, -1)}0/24`).toBe(subnet);
    const trusted = Object.values(services).flatMap(
      ({ environment }) => environment?.['TRUSTED_PROXIES'] ?? [],
    );
    expect(new Set(trusted)).toEqual(new Set([`\${TRUSTED_PROXIES:-${subnet}}`]));
  },
);

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

it('every image of another project has a version in the Compose files', () => {
  const images = variables.filter(
    ({ variable }) => variable.endsWith('_IMAGE') && variable !== 'ZEPHYR_IMAGE',
  );
  expect(images.length).toBeGreaterThanOrEqual(6);
  expect(images.filter(({ argument }) => !/^[a-z/]+:\S*\d/.test(argument))).toEqual([]);
});
