import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Zephyr, type ZephyrOptions } from 'zephyr-client';
import { getStringOption, type CliContext, type OptionValues } from './command.js';
import { CommandError, NotSignedInError, UsageError } from './errors.js';
import { createFetchReportingOutages } from './report-no-response.js';

export const DEFAULT_SERVER_URL = 'http://127.0.0.1:3000';
/** For a command that someone waits for: a wrong URL shall be reported soon. */
export const MAX_RETRIES_OF_SHORT_COMMANDS = 2;
/** A command of many files would rather wait than fail. */
export const MAX_RETRIES_OF_LONG_COMMANDS = 10;

interface Config {
  server?: string;
  api_key?: string;
}

type Place = Pick<CliContext, 'env' | 'homeFolder'>;

/** @throws CommandError if the home folder is needed and not known */
export function getConfigPath(place: Place): string {
  const path = findConfigPath(place);
  if (path === undefined)
    throw new CommandError('There is no home folder for the settings. Set HOME or XDG_CONFIG_HOME.');
  return path;
}

/** @returns undefined if the home folder is needed and not known */
export function findConfigPath(place: Place): string | undefined {
  const folder = findFolder(place, ['XDG_CONFIG_HOME', 'APPDATA'], '.config');
  return folder === undefined ? undefined : join(folder, 'zephyr', 'config.json');
}

/**
 * Where the states of uploads are kept that were interrupted.
 * @throws CommandError if the home folder is needed and not known
 */
export function getUploadStateFolder(place: Place): string {
  const folder = findFolder(place, ['XDG_STATE_HOME', 'LOCALAPPDATA'], join('.local', 'state'));
  if (folder === undefined)
    throw new CommandError('There is no home folder for the states of uploads. Set HOME or XDG_STATE_HOME.');
  return join(folder, 'zephyr', 'uploads');
}

function findFolder({ env, homeFolder }: Place, names: string[], belowHome: string): string | undefined {
  const named = names.map((name) => env[name]).find((folder) => folder);
  return named ?? (homeFolder === undefined ? undefined : join(homeFolder, belowHome));
}

export async function readConfig(place: Place): Promise<Config> {
  const path = findConfigPath(place);
  if (path === undefined) return {};
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as { code?: unknown }).code))) return '{}';
    throw error;
  });
  try {
    return JSON.parse(text) as Config;
  } catch {
    throw new CommandError(`${path} is not JSON. Remove it with: zephyr logout`);
  }
}

/** Only the owner may read the key. @returns the path */
export async function writeConfig(place: Place, config: Config): Promise<string> {
  const path = getConfigPath(place);
  await rename(await writeNewFile(path, `${JSON.stringify(config, null, 2)}\n`), path);
  return path;
}

/** @throws CommandError if `writeConfig` would fail */
export async function assertConfigIsWritable(place: Place): Promise<void> {
  const path = getConfigPath(place);
  try {
    await rm(await writeNewFile(path, ''));
  } catch (error) {
    throw new CommandError(
      `The settings cannot be stored in ${dirname(path)}: ${(error as Error).message}. Set XDG_CONFIG_HOME to a folder that you can write.`,
      { cause: error },
    );
  }
}

/** @returns its path, beside that of the settings */
async function writeNewFile(path: string, text: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await chmod(dirname(path), 0o700);
  await rm(`${path}.new`, { force: true });
  await writeFile(`${path}.new`, text, { mode: 0o600 });
  return `${path}.new`;
}

/** @returns the URL without a slash at its end @throws UsageError */
export async function resolveServerUrl(place: Place, options: OptionValues): Promise<string> {
  return normalizeServerUrl(
    getStringOption(options, 'server') ??
      (place.env['ZEPHYR_URL'] || (await readConfig(place)).server) ??
      DEFAULT_SERVER_URL,
  );
}

/** @returns the service of the stored key */
export function getStoredServerUrl(config: Config): string {
  return normalizeServerUrl(config.server ?? DEFAULT_SERVER_URL);
}

/** Without `/api/v1` at its end, as the URL stands in examples of requests. @throws UsageError */
export function parseServerUrl(server: string): URL {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`The URL of the service must be an http or https URL, not ${server}.`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError('The URL of the service must have no user and no password.');
  url.pathname = url.pathname.replace(/\/+api\/v1\/*$/, '/');
  return url;
}

/** The same text for the same service. */
function normalizeServerUrl(server: string): string {
  const { origin, pathname } = parseServerUrl(server);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** @param reportSilence called when requests of a long command get no response and are repeated */
export async function createZephyrClientFromSettings(
  place: Place,
  options: OptionValues,
  maxRetries: number = MAX_RETRIES_OF_SHORT_COMMANDS,
  reportSilence?: (origin: string) => void,
): Promise<Zephyr> {
  const server = await resolveServerUrl(place, options);
  const apiKey = place.env['ZEPHYR_API_KEY'] || (await readStoredKey(place, server));
  if (!apiKey)
    throw new NotSignedInError(
      `There is no API key for ${server}. Run: zephyr login, or set ZEPHYR_API_KEY.`,
    );
  const reports = reportSilence !== undefined && maxRetries > MAX_RETRIES_OF_SHORT_COMMANDS;
  try {
    return createZephyrClient(server, apiKey, {
      maxRetries,
      ...(reports && { fetch: createFetchReportingOutages(reportSilence) }),
    });
  } catch (error) {
    if (!(error instanceof NotSignedInError)) throw error;
    const [name, remedy] = place.env['ZEPHYR_API_KEY']
      ? ['ZEPHYR_API_KEY', '']
      : [`The API key in ${getConfigPath(place)}`, ' Run: zephyr login'];
    throw new NotSignedInError(`${error.message.replace('The API key', name)}${remedy}`, { cause: error });
  }
}

/** A key is for the server that it was stored with. */
async function readStoredKey(place: Place, server: string): Promise<string | undefined> {
  const config = await readConfig(place);
  return server === getStoredServerUrl(config) ? config.api_key : undefined;
}

/** @throws NotSignedInError if the key cannot be one */
export function createZephyrClient(
  server: string,
  apiKey: string,
  settings: Pick<ZephyrOptions, 'maxRetries' | 'fetch'> = {},
): Zephyr {
  const baseUrl = parseServerUrl(server);
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new NotSignedInError('The API key must be the text of an API key, without blanks or line breaks.');
  return new Zephyr({ baseUrl, apiKey, maxRetries: MAX_RETRIES_OF_SHORT_COMMANDS, ...settings });
}
