import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { builtProgramPath, runInForeground } from './foreground.mjs';
import { printProgress } from './user-facing-error.mjs';

/** Without a network, a start is delayed by no more than this. */
const CONNECT_TIMEOUT_MS = 1_500;
const ASK_SECONDS = 15;
/** As of a program that SIGINT ended, in a shell. */
export const INTERRUPTED_EXIT_CODE = 130;
/** Where most models of the catalogue are. */
const MODEL_SERVER = 'https://huggingface.co';
/** Written when the question was asked, so that it is asked once. */
const ASKED_FILE = 'models-offered';

/**
 * @typedef {object} Surroundings what tests replace
 * @property {NodeJS.ProcessEnv} env
 * @property {boolean} isTerminal both input and error output
 * @property {(url: URL) => Promise<boolean>} canReach
 * @property {(parameters: string[]) => Promise<number>} runAdmin an operator command in this terminal
 */

/** @type {Surroundings} */
const REAL = {
  env: process.env,
  isTerminal: Boolean(process.stdin.isTTY && process.stderr.isTTY),
  canReach: (url) => canConnect(url, CONNECT_TIMEOUT_MS),
  runAdmin: (parameters) => runInForeground(builtProgramPath('admin'), parameters),
};

/**
 * Downloads the recommended models if wanted; otherwise asks once, on a terminal, if no model is installed. Whatever happens,
 * the service can be started afterwards.
 *
 * @param {{ wanted: boolean }} options wanted: by `--models`
 * @param {Surroundings} [surroundings]
 * @returns {Promise<boolean>} false if Ctrl-C was pressed
 */
export async function offerRecommendedModels({ wanted }, surroundings = REAL) {
  const { env, runAdmin } = surroundings;
  const dataDir = resolve(env.DATA_DIR || 'data');
  if (!wanted && !(await mayAsk(dataDir, surroundings))) return true;
  const server = findServer(env);
  if (server && !(await surroundings.canReach(server))) {
    if (wanted) printProgress(`${server.host} cannot be reached: starting without further models.`);
    return true;
  }
  if (!wanted) await rememberQuestion(dataDir);
  const parameters = ['models', 'setup', ...(wanted ? ['--yes'] : ['--wait', String(ASK_SECONDS)])];
  const code = await runAdmin(parameters);
  if (code === INTERRUPTED_EXIT_CODE) return false;
  if (code !== 0) printProgress('Starting without the models that are missing.');
  return true;
}

/** @param {string} dataDir @param {Surroundings} surroundings */
async function mayAsk(dataDir, { env, isTerminal }) {
  const isChosen = (env.ENGINE && env.ENGINE !== 'auto') || env.OPENAI_BASE_URL || env.SHERPA_MODEL;
  if (!isTerminal || env.CI || isChosen) return false;
  const entries = await readdir(resolve(env.MODELS_DIR || join(dataDir, 'models'))).catch(() => []);
  const asked = (await readdir(dataDir).catch(() => [])).includes(ASKED_FILE);
  return !asked && entries.every((name) => name.startsWith('.'));
}

/** @param {string} dataDir */
async function rememberQuestion(dataDir) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(join(dataDir, ASKED_FILE), 'npm run admin -- models setup\n');
}

/** The proxy or server that the download connects to first; undefined if it is not known. @param {NodeJS.ProcessEnv} env */
function findServer(env) {
  if (env.MODELS_CATALOGUE && !env.MODELS_MIRROR) return undefined;
  const server = parseUrl(env.MODELS_MIRROR || MODEL_SERVER);
  const proxy =
    server?.protocol === 'http:' ? env.http_proxy || env.HTTP_PROXY : env.https_proxy || env.HTTPS_PROXY;
  return (proxy ? parseUrl(proxy) : undefined) ?? server;
}

/** @param {string} text */
function parseUrl(text) {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * @param {URL} url @param {number} timeoutMs
 * @param {import('node:net').LookupFunction} [lookup] for tests
 * @returns {Promise<boolean>}
 */
export function canConnect({ hostname, port, protocol }, timeoutMs, lookup) {
  return new Promise((done) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port) || (protocol === 'http:' ? 80 : 443), lookup });
    const finish = (isConnected) => {
      clearTimeout(timer);
      socket.destroy();
      done(isConnected);
    };
    // `timeout` of the socket does not cover the look-up of the name.
    const timer = setTimeout(() => finish(false), timeoutMs);
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
