import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeModel } from '../../scripts/material/onnx/library.mjs';
import { renderPieces } from '../../scripts/material/onnx/tones.mjs';
import { buildWavHeader } from '../../scripts/material/wav.mjs';
import { findFreePort } from '../support/child-process.js';
import { findJsonLines } from '../support/json-lines.js';
import { CTRL_C, type StartedProgram } from '../support/started-program.js';
import { TinyModelCatalogue } from '../support/tiny-model-catalogue.js';
import { Service } from './support/service.js';
import { HAS_TERMINALS, startProgramAtTerminal } from './support/terminal.js';
import { expectTranscriptDocument } from './support/transcript-document.js';
import { until } from './support/until.js';

const AUXILIARY_MODELS = ['tiny-silero', 'tiny-pyannote', 'tiny-voices'];

let catalogue: TinyModelCatalogue;
beforeAll(async () => {
  // A model of tones makes nothing of the dialogue, so there is no bound.
  catalogue = await TinyModelCatalogue.start({ 'tiny-parakeet': { rank: 200, minWordsRight: 0 } });
});
afterAll(() => catalogue?.stop());

function createRecording(): Uint8Array<ArrayBuffer> {
  const samples = renderPieces(['▁please', '▁call', '▁mister']);
  const sound = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return new Uint8Array(Buffer.concat([buildWavHeader(samples.length), sound]));
}

describe('ENGINE=auto', () => {
  let service: Service;
  let processorPort: number;
  beforeAll(async () => {
    processorPort = await findFreePort();
    service = await Service.start({
      ...catalogue.environment,
      PROCESSOR_PORT: String(processorPort),
    });
  });
  afterAll(() => service?.stop());

  const readEngineLog = async () =>
    findJsonLines(await service.log()).filter(({ msg }) => String(msg).includes('speech engine'));
  const readEngineMetric = async () => {
    const text = await (await fetch(`http://127.0.0.1:${processorPort}/metrics`)).text();
    return /^zephyr_engine_info\{.*\} 1$/m.exec(text)?.[0];
  };

  it('uses pocketsphinx while nothing is installed and says what would recognise more', async () => {
    expect(await readEngineMetric()).toContain('engine="pocketsphinx",model="en-us"');
    expect(await readEngineLog()).toMatchObject([
      {
        msg: 'speech engine chosen',
        engine: 'pocketsphinx',
        reason: 'no other recogniser is installed',
        concurrentChunks: expect.any(Number),
      },
      {
        msg: 'a better speech engine is available',
        advice: expect.stringContaining('npm run admin -- models pull tiny-parakeet'),
      },
    ]);
  });

  it('transcribes with the model that passed its check after a pull and a restart, and everything names it', async () => {
    const pulled = await service.admin('models', 'pull', 'tiny-parakeet');
    expect(pulled).toMatchObject({ code: 0 });
    expect(pulled.stdout).toMatch(
      /^tiny-parakeet is installed\.\ntiny-parakeet works: \d % of the words right, /,
    );
    await service.terminate();
    await service.restart();

    const client = await service.client();
    const { job_id } = await client.submit(createRecording());
    expect((await client.events(job_id)).at(-1)?.name).toBe('completed');
    const { download_url } = await client.job(job_id);
    const document = expectTranscriptDocument((await client.download(download_url ?? '')).text, job_id);
    const version = expect.stringMatching(/^\d+\.\d+\.\d+$/) as string;
    expect(document).toMatchObject({ engine: { name: 'sherpa', model: 'tiny-parakeet', version } });
    expect(document.text.toLowerCase().match(/\w+/g)).toEqual(['please', 'call', 'mister']);
    expect(document.warnings.filter(({ code }) => code === 'several_engines')).toEqual([]);

    expect(await readEngineMetric()).toContain('engine="sherpa",model="tiny-parakeet"');
    expect((await readEngineLog()).at(-1)).toMatchObject({ engine: 'sherpa', model: 'tiny-parakeet' });
    const { stdout } = await service.admin('doctor', '--json');
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        name: 'engine',
        detail: 'sherpa, model tiny-parakeet (the only installed recogniser)',
      }),
    );
  });
});

describe('models setup', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'e2e-setup-'));
    for (const name of AUXILIARY_MODELS) await makeModel(folder, name);
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function startSetup(...args: string[]): Promise<StartedProgram> {
    const env = { MODELS_DIR: folder, ...catalogue.environment };
    const terminal = startProgramAtTerminal('admin', ['models', 'setup', ...args], env);
    onTestFinished(() => void terminal.child.kill('SIGHUP'));
    return terminal;
  }
  const untilAsked = ({ output }: StartedProgram) =>
    until('the question', () =>
      /tiny-parakeet \(\d+ kB\) would recognise more than pocketsphinx/.test(output()),
    );

  it.skipIf(!HAS_TERMINALS)('asks on a terminal and downloads nothing without the key', async () => {
    for (const [key, code] of [
      ['n', 0],
      [CTRL_C, 130],
    ] as const) {
      const terminal = await startSetup();
      await untilAsked(terminal);
      terminal.child.stdin.write(key);
      expect(await terminal.ended).toBe(code);
    }
    const silent = await startSetup('--wait', '0');
    expect(await silent.ended).toBe(0);
    expect(silent.output()).toContain('To download: npm run admin -- models setup --yes');
    expect((await readdir(folder)).toSorted()).toEqual(AUXILIARY_MODELS.toSorted());
  });

  it.skipIf(!HAS_TERMINALS)(
    'downloads and checks the recommended models when the key is pressed',
    async () => {
      const terminal = await startSetup();
      await untilAsked(terminal);
      terminal.child.stdin.write('m');
      expect(await terminal.ended).toBe(0);
      expect(terminal.output()).toMatch(/tiny-parakeet is installed\.\r\ntiny-parakeet works: /);
      const again = await startSetup();
      expect(await again.ended).toBe(0);
      expect(again.output()).toContain('Nothing is recommended beside tiny-parakeet');
    },
  );
});
