import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { canConnect, offerRecommendedModels } from './recommended-models.mjs';

let dataDir;
let printed;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'zephyr-offer-'));
  printed = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed += text), true));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true });
});

/** @returns the operator commands that were run, and whether the start goes on */
async function offer({ wanted = false, env = {}, isTerminal = true, isReachable = true, code = 0 } = {}) {
  const commands = [];
  const reached = [];
  const goesOn = await offerRecommendedModels(
    { wanted },
    {
      env: { DATA_DIR: dataDir, ...env },
      isTerminal,
      canReach: async (url) => (reached.push(url.href), isReachable),
      runAdmin: async (parameters) => (commands.push(parameters.join(' ')), code),
    },
  );
  return { commands, reached, goesOn };
}

const ASKED = ['models setup --wait 15'];
const DOWNLOADED = ['models setup --yes'];

describe('offerRecommendedModels', () => {
  it('asks once on a terminal', async () => {
    expect(await offer()).toMatchObject({ commands: ASKED, goesOn: true });
    expect(await offer()).toMatchObject({ commands: [], reached: [], goesOn: true });
  });

  it.each([
    ['without a terminal', { isTerminal: false }],
    ['in CI', { env: { CI: 'true' } }],
    ['when an engine is set', { env: { ENGINE: 'pocketsphinx' } }],
    ['when a server is set', { env: { OPENAI_BASE_URL: 'http://gpu/v1' } }],
    ['when a recogniser is set', { env: { SHERPA_MODEL: 'own' } }],
  ])('asks and connects to nothing %s', async (_, options) => {
    expect(await offer(options)).toEqual({ commands: [], reached: [], goesOn: true });
    expect(printed).toBe('');
  });

  it('asks if ENGINE=auto is set, and not if a model is installed', async () => {
    await mkdir(join(dataDir, 'models', '.silero-vad.pull'), { recursive: true });
    expect(await offer({ env: { ENGINE: 'auto' } })).toMatchObject({ commands: ASKED });
    await rm(join(dataDir, 'models-offered'));
    await mkdir(join(dataDir, 'models', 'silero-vad'));
    expect(await offer()).toMatchObject({ commands: [] });
  });

  it('does not ask without a network, and asks at a later start', async () => {
    expect(await offer({ isReachable: false })).toMatchObject({ commands: [], goesOn: true });
    expect(printed).toBe('');
    expect(await readdir(dataDir)).toEqual([]);
    expect(await offer()).toMatchObject({ commands: ASKED });
  });

  it('downloads when wanted, also in CI, without a terminal and beside installed models', async () => {
    await mkdir(join(dataDir, 'models', 'silero-vad'), { recursive: true });
    const { commands } = await offer({ wanted: true, isTerminal: false, env: { CI: 'true' } });
    expect(commands).toEqual(DOWNLOADED);
  });

  it('goes on when the download fails or no server can be reached, and ends on Ctrl-C', async () => {
    expect(await offer({ wanted: true, code: 1 })).toMatchObject({ commands: DOWNLOADED, goesOn: true });
    expect(printed).toBe('Starting without the models that are missing.\n');
    expect(await offer({ wanted: true, isReachable: false })).toMatchObject({ commands: [], goesOn: true });
    expect(printed).toContain('huggingface.co cannot be reached: starting without further models.\n');
    expect(await offer({ wanted: true, code: 130 })).toMatchObject({ goesOn: false });
  });

  it.each([
    [{}, ['https://huggingface.co/']],
    [{ MODELS_MIRROR: 'http://mirror:8080/m' }, ['http://mirror:8080/m']],
    [{ HTTPS_PROXY: 'http://proxy:3128' }, ['http://proxy:3128/']],
    [{ MODELS_MIRROR: 'http://mirror', HTTPS_PROXY: 'http://proxy:3128' }, ['http://mirror/']],
    [{ MODELS_CATALOGUE: 'own.json' }, []],
  ])('with %j it first tries to reach %j', async (env, reached) => {
    expect(await offer({ env })).toMatchObject({ reached, commands: ASKED });
  });
});

describe('canConnect', () => {
  it('reaches a server that listens', async () => {
    const server = createServer();
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    const url = new URL(`http://127.0.0.1:${server.address().port}`);
    expect(await canConnect(url, 20_000)).toBe(true);
    await new Promise((done) => server.close(done));
    expect(await canConnect(url, 20_000)).toBe(false);
  });

  it('gives up in time on a name server that does not answer', async () => {
    const startedAt = performance.now();
    expect(await canConnect(new URL('https://models.example'), 300, () => undefined)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('gives up in time on an address to which there is no route', async () => {
    const startedAt = performance.now();
    // Of a network that is reserved for documentation.
    expect(await canConnect(new URL('http://192.0.2.1'), 300)).toBe(false);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
