/**
 * `npm run demo`: starts the service on this machine, transcribes a sample and prints the transcript.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DemoClient } from './lib/demo/client.mjs';
import { formatTranscript, formatProgress } from './lib/demo/format-output.mjs';
import { parsePort, assertPortFree } from './lib/demo/port.mjs';
import { startService, stopService, waitUntilReady } from './lib/demo/service.mjs';
import { exitWhenNpmExits } from './lib/parent-process.mjs';
import { prepareCheckout } from './lib/prepare-checkout.mjs';
import { INTERRUPTED_EXIT_CODE, offerRecommendedModels } from './lib/recommended-models.mjs';
import { ROOT } from './lib/root.mjs';
import { runScript, printProgress, UserFacingError } from './lib/user-facing-error.mjs';

const USAGE = `npm run demo -- [--once] [--file PATH] [--models]

  --once       stop the service after the transcript
  --file PATH  transcribe this file instead of the sample
  --models     first download the recommended models, which recognise more

Environment: PORT (3000) and DATA_DIR (./data).`;

await runScript(async () => {
  exitWhenNpmExits();
  const { once, file, models, help } = parseParameters();
  if (help) {
    console.log(USAGE);
    return 0;
  }
  const recording = file === undefined ? await findSample() : await assertFileExists(file);
  const port = parsePort(process.env.PORT);
  const dataDir = resolve(process.env.DATA_DIR || 'data');
  await prepareCheckout({ forRun: true });
  await assertPortFree(port);
  if (!(await offerRecommendedModels({ wanted: models === true }))) return INTERRUPTED_EXIT_CODE;

  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interruption.abort());
  const { signal } = interruption;
  const base = `http://127.0.0.1:${port}`;
  printProgress('Starting the service ...');
  const service = await startService({ dataDir, port });
  try {
    await waitUntilReady(service, base, signal);
    const keyFile = join(dataDir, 'dev-api-key');
    const client = new DemoClient(base, await readKey(keyFile), signal);
    const { engine } = await transcribe(client, recording);
    const link = await readFile(join(dataDir, 'dev-sign-in-link'), 'utf8').catch(() => undefined);
    console.log(
      `\n${formatEngine(engine)}\nAPI       ${base}/api/v1   (header X-API-Key; the key is in ${keyFile})` +
        `\nReference ${base}/docs, and docs/api.md\nGuide     ${base}/docs/guide\nLog       ${service.logFile}\nYour own  npm run demo -- --file PATH` +
        formatConsoleAddress(base, link),
    );
    if (once) return 0;
    printProgress('\nThe service is running. Ctrl-C stops it.');
    await Promise.race([service.ended, new Promise((done) => signal.addEventListener('abort', done))]);
    if (!signal.aborted) throw new UserFacingError(`The service exited; see ${service.logFile}`);
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    return 130;
  } finally {
    printProgress('Stopping the service ...');
    await stopService(service);
  }
});

function parseParameters() {
  try {
    return parseArgs({
      options: {
        once: { type: 'boolean' },
        file: { type: 'string' },
        models: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UserFacingError(`${error.message}. The options are --once, --file PATH, --models and --help.`);
  }
}

/** @param {string} base @param {string | undefined} link works once; absent once its user has a password */
function formatConsoleAddress(base, link) {
  return link === undefined
    ? `\nConsole   ${base}/console/`
    : `\nConsole   ${link.trim()}\n          (signs in once)`;
}

/** @param {{ name: string, model: string | null }} engine of the transcript */
function formatEngine({ name, model }) {
  const others = name === 'pocketsphinx' ? '   (others recognise more: npm run demo -- --models)' : '';
  return `Engine    ${name} ${model ?? ''}${others}`;
}

/** @param {string} path of `--file` */
async function assertFileExists(path) {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new UserFacingError(`--file ${path}: there is no such file.`);
  return path;
}

/** @param {string} path */
async function readKey(path) {
  const key = await readFile(path, 'utf8').catch(() => undefined);
  if (key !== undefined) return key.trim();
  throw new UserFacingError(
    'This database has accounts, but no development account. Use a new database: unset DATABASE_URL, and choose an empty DATA_DIR.',
  );
}

async function findSample() {
  const folder = join(ROOT, 'assets', 'sample');
  const names = await readdir(folder).catch(() => []);
  const name = names.find((each) => /^dialogue\.(?!json$)/.test(each));
  if (!name)
    throw new UserFacingError(`The sample is missing in ${folder}. Name a file: npm run demo -- --file PATH`);
  return join(folder, name);
}

/** @param {DemoClient} client @param {string} file @returns the json transcript */
async function transcribe(client, file) {
  console.log(`\nTranscribing ${file}`);
  const terminal = process.stdout.isTTY;
  const job = await client.upload(file);
  const { download_url: address } = await client.follow(job, (progress) => {
    const line = formatProgress(progress);
    process.stdout.write(terminal ? `\r\x1b[K${line}` : `${line}\n`);
  });
  if (terminal) process.stdout.write('\r\x1b[K');
  const transcript = await client.download(address);
  console.log(`\n${formatTranscript(transcript, Math.min(process.stdout.columns ?? 100, 100)).join('\n')}`);
  return transcript;
}
