import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createZephyrClientFromSettings,
  getConfigPath,
  readConfig,
  resolveServerUrl,
  writeConfig,
} from './config.js';
import { CommandError, NotSignedInError } from './errors.js';

let homeFolder: string;
beforeEach(async () => {
  homeFolder = await mkdtemp(join(tmpdir(), 'zephyr-cli-config-'));
});
afterEach(() => rm(homeFolder, { recursive: true, force: true }));

const place = (env: Record<string, string> = {}) => ({ env, homeFolder });

describe('the URL of the service', () => {
  it.each([
    'http://127.0.0.1:38471/',
    'http:/127.0.0.1:38471',
    'HTTP://127.0.0.1:38471?x=1',
    'http://127.0.0.1:38471//#x',
    'http://127.0.0.1:38471/api/v1',
    'http://127.0.0.1:38471/api/v1/',
  ])('%s is the one that the key was stored for', async (address) => {
    await writeConfig(place(), { server: 'http://127.0.0.1:38471', api_key: 'key' });
    await createZephyrClientFromSettings(place({ ZEPHYR_URL: address }), {});
    expect(await resolveServerUrl(place({ ZEPHYR_URL: address }), {})).toBe('http://127.0.0.1:38471');
  });

  it('that was stored with a slash by an earlier version is the same', async () => {
    await writeConfig(place(), { server: 'http://127.0.0.1:38471/', api_key: 'key' });
    const client = createZephyrClientFromSettings(place(), { server: 'http://127.0.0.1:38471' });
    await expect(client).resolves.toBeDefined();
  });

  it.each(['http://127.0.0.1:38472', 'https://127.0.0.1:38471', 'http://127.0.0.1:38471/below'])(
    '%s is another one, which does not get the key',
    async (address) => {
      await writeConfig(place(), { server: 'http://127.0.0.1:38471', api_key: 'key' });
      await expect(createZephyrClientFromSettings(place(), { server: address })).rejects.toThrow(
        `There is no API key for ${address}.`,
      );
    },
  );

  it('with a password is refused, without repeating it', async () => {
    const refused = resolveServerUrl(place(), { server: 'http://user:hidden@127.0.0.1' });
    await expect(refused).rejects.toThrow('The URL of the service must have no user and no password.');
  });
});

describe('an API key that cannot be one', () => {
  it.each(['two\nlines', 'Bearer key'])('%j is refused by the name of its variable', async (key) => {
    const refused = createZephyrClientFromSettings(place({ ZEPHYR_API_KEY: key }), {});
    await expect(refused).rejects.toThrow(NotSignedInError);
    await expect(refused).rejects.toThrow(
      'ZEPHYR_API_KEY must be the text of an API key, without blanks or line breaks.',
    );
  });

  it('in the settings is refused by the path of the file', async () => {
    const path = await writeConfig(place(), { api_key: 'Bearer key' });
    await expect(createZephyrClientFromSettings(place(), {})).rejects.toThrow(
      `The API key in ${path} must be the text of an API key, without blanks or line breaks. Run: zephyr login`,
    );
  });
});

describe('settings that cannot be read', () => {
  const env = { ZEPHYR_API_KEY: 'key', ZEPHYR_URL: 'http://127.0.0.1:38471' };

  it('are not needed with a key and a URL in the environment', async () => {
    await mkdir(getConfigPath(place()), { recursive: true });
    await expect(createZephyrClientFromSettings(place(env), {})).resolves.toBeDefined();
    await expect(createZephyrClientFromSettings(place(), {})).rejects.toThrow('EISDIR');
  });

  it.each([
    ['the home folder is a file', () => import.meta.filename],
    ['there is no home folder', () => undefined],
  ])('are as those of the first run if %s', async (_, findHome) => {
    const without = (variables: Record<string, string>) => ({ env: variables, homeFolder: findHome() });
    await expect(createZephyrClientFromSettings(without(env), {})).resolves.toBeDefined();
    await expect(createZephyrClientFromSettings(without({}), {})).rejects.toThrow(
      'There is no API key for http://127.0.0.1:3000.',
    );
    await expect(writeConfig(without({}), {})).rejects.toThrow(/ENOTDIR|EEXIST|Set HOME or XDG_CONFIG_HOME/);
  });
});

it('settings that are no JSON are refused with the one command that helps', async () => {
  const path = await writeConfig(place(), {});
  await writeFile(path, '{');
  expect(path).toBe(getConfigPath(place()));
  await expect(readConfig(place())).rejects.toThrow(
    new CommandError(`${path} is not JSON. Remove it with: zephyr logout`),
  );
});
