/**
 * `npm run demo`: starts the service on this machine alone, transcribes a sample and shows the result.
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
import { ROOT } from './lib/root.mjs';
import { runScript, printProgress, UserFacingError } from './lib/user-facing-error.mjs';

const USAGE = `npm run demo -- [--once] [--file PATH]

  --once       end after the transcript instead of keeping the service up
  --file PATH  transcribe this file instead of the sample

PORT (3000) and DATA_DIR (./data) are honoured.`;

await runScript(async () => {
  exitWhenNpmExits();
  const { once, file, help } = readParameters();
  if (help) {
    console.log(USAGE);
    return 0;
  }
  const recording = file === undefined ? await findSample() : await givenFile(file);
  const port = parsePort(process.env.PORT);
  const dataDir = resolve(process.env.DATA_DIR || 'data');
  await prepareCheckout({ toRun: true });
  await assertPortFree(port);

  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => interrupted.abort());
  const { signal } = interrupted;
  const base = `http://127.0.0.1:${port}`;
  printProgress('Starting the service ...');
  const service = await startService({ dataDir, port });
  try {
    await waitUntilReady(service, base, signal);
    const keyFile = join(dataDir, 'dev-api-key');
    const client = new DemoClient(base, await readKey(keyFile), signal);
    await transcribe(client, recording);
    const link = await readFile(join(dataDir, 'dev-sign-in-link'), 'utf8').catch(() => undefined);
    console.log(
      `\nAPI       ${base}/api/v1   (header X-API-Key; the key is in ${keyFile})` +
        `\nReference ${base}/docs, and docs/api.md\nLog       ${service.logFile}\nYour own  npm run demo -- --file PATH` +
        formatConsoleAddress(base, link),
    );
    if (once) return 0;
    printProgress('\nThe service is up. Ctrl-C ends it.');
    await Promise.race([service.ended, new Promise((done) => signal.addEventListener('abort', done))]);
    if (!signal.aborted) throw new UserFacingError(`The service ended by itself; see ${service.logFile}`);
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    return 130;
  } finally {
    printProgress('Ending the service ...');
    await stopService(service);
  }
});

function readParameters() {
  try {
    return parseArgs({
      options: { once: { type: 'boolean' }, file: { type: 'string' }, help: { type: 'boolean' } },
    }).values;
  } catch (error) {
    throw new UserFacingError(`${error.message}. The options are --once, --file PATH and --help.`);
  }
}

/** @param {string} base @param {string | undefined} link works once; absent once its user has a password */
function formatConsoleAddress(base, link) {
  return link === undefined
    ? `\nConsole   ${base}/console/`
    : `\nConsole   ${link.trim()}\n          (signs in once)`;
}

/** @param {string} path of `--file` */
async function givenFile(path) {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new UserFacingError(`--file ${path}: there is no such file.`);
  return path;
}

/** @param {string} path */
async function readKey(path) {
  const key = await readFile(path, 'utf8').catch(() => undefined);
  if (key !== undefined) return key.trim();
  throw new UserFacingError(
    'This database has accounts, but none for development. Let the demo make its own: unset DATABASE_URL, and choose an empty DATA_DIR.',
  );
}

async function findSample() {
  const folder = join(ROOT, 'assets', 'sample');
  const names = await readdir(folder).catch(() => []);
  const name = names.find((each) => /^dialogue\.(?!json$)/.test(each));
  if (!name)
    throw new UserFacingError(`The sample is missing in ${folder}. Give a file: npm run demo -- --file PATH`);
  return join(folder, name);
}

/** @param {DemoClient} client @param {string} file */
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
}
