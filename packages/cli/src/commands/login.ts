import { rm } from 'node:fs/promises';
import { AuthenticationError, NotFoundError, UnauthenticatedClient } from 'zephyr-client';
import { type Command, type CliContext, type OptionValues, printSanitizedLine } from '../command.js';
import {
  assertConfigIsWritable,
  createZephyrClient,
  getConfigPath,
  getStoredServerUrl,
  MAX_RETRIES_OF_SHORT_COMMANDS,
  parseServerUrl,
  readConfig,
  resolveServerUrl,
  writeConfig,
} from '../config.js';
import { CommandError, EXIT_CODE_BY_NAME, NotSignedInError, UsageError } from '../errors.js';
import { pathExists } from '../files/path-exists.js';
import { signInThroughConsole } from '../sign-in-through-console.js';
import { readUntilAborted } from '../read-until-aborted.js';

export const loginCommand: Command = {
  name: 'login',
  summary: 'Store the URL of the service and an API key',
  usage: '',
  description: `Shows a URL of the console and a code. When you have signed in there, entered the code and approved, the key that \
was made for this machine is stored with the URL of the service in the folder of your settings, where only you can read it. \
With --key it asks for a key that you have. If standard input is no terminal, the key is read from it. The key is never an argument, \
because other users of a machine can see those. ZEPHYR_API_KEY takes precedence over the stored key.`,
  options: { key: { type: 'boolean', help: 'ask for an API key instead of going through the console' } },
  async run(context, positionals, options) {
    if (positionals.length > 0)
      throw new UsageError('login takes no arguments. The key is asked for, or read from standard input.');
    const server = await resolveServerUrl(context, options);
    const { text, isNew } = await getKey(context, parseServerUrl(server), options['key'] === true);
    const apiKey = text.trim();
    if (apiKey === '') throw new NotSignedInError('No key was given.');
    const store = () => writeConfig(context, { server, api_key: apiKey });
    // The service shows it once, so it must not be lost if the next request fails.
    const pathOfNew = isNew ? await store() : null;
    const client = createZephyrClient(server, apiKey);
    const account = await client.account({ signal: context.signal }).catch((error: unknown) => {
      if (pathOfNew !== null)
        printSanitizedLine(context.stderr, `The new key is stored in ${pathOfNew}. It was not tried:`);
      if (!(error instanceof AuthenticationError)) throw error;
      throw new NotSignedInError(error.message, { cause: error });
    });
    const path = pathOfNew ?? (await store());
    printSanitizedLine(
      context.stderr,
      `Signed in to ${account.name} at ${server} with the key ${account.api_key.name}. Stored in ${path}.`,
    );
    if (context.env['ZEPHYR_API_KEY'])
      printSanitizedLine(context.stderr, 'ZEPHYR_API_KEY is set and takes precedence.');
    return EXIT_CODE_BY_NAME.ok;
  },
};

export const logoutCommand: Command = {
  name: 'logout',
  summary: 'Remove the stored API key',
  usage: '',
  description:
    'The key stays valid. Revoke it in the console. With --server or ZEPHYR_URL, only the key of that service is removed.',
  options: {},
  async run(context, positionals, options) {
    if (positionals.length > 0) throw new UsageError('logout takes no arguments.');
    const path = getConfigPath(context);
    const isStored = await pathExists(path);
    const other = isStored ? await findOtherStoredServer(context, options) : undefined;
    if (other !== undefined)
      throw new CommandError(
        `${path} has the key for ${other}. Remove it with: zephyr logout --server ${other}`,
      );
    await rm(path, { force: true });
    printSanitizedLine(context.stderr, isStored ? `Removed ${path}.` : 'No key is stored.');
    return EXIT_CODE_BY_NAME.ok;
  },
};

/** @returns the server of the stored key if another one is named */
async function findOtherStoredServer(
  context: CliContext,
  options: OptionValues,
): Promise<string | undefined> {
  // A file that is no JSON is removed, whatever it was.
  const config = await readConfig(context).catch(() => ({ api_key: undefined }));
  if (config.api_key === undefined) return undefined;
  const stored = getStoredServerUrl(config);
  return stored === (await resolveServerUrl(context, options)) ? undefined : stored;
}

/** @returns `isNew`: made for this machine a moment ago */
async function getKey(
  context: CliContext,
  baseUrl: URL,
  isAsked: boolean,
): Promise<{ text: string; isNew: boolean }> {
  if (context.stdin.isTTY !== true) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of readUntilAborted(context.stdin, context.signal)) chunks.push(chunk);
    return { text: Buffer.concat(chunks).toString('utf8'), isNew: false };
  }
  if (isAsked) return { text: await context.askSecret('API key: '), isNew: false };
  // The service shows the key once.
  await assertConfigIsWritable(context);
  try {
    const routes = new UnauthenticatedClient({ baseUrl, maxRetries: MAX_RETRIES_OF_SHORT_COMMANDS });
    return { text: await signInThroughConsole(context, routes), isNew: true };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new CommandError('This service has no sign-in of the command line. Run: zephyr login --key', {
      cause: error,
    });
  }
}
