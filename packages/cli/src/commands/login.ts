import { rm } from 'node:fs/promises';
import { type Command, type CliContext, printLine } from '../command.js';
import { createClient, getConfigPath, resolveServerUrl, writeConfig } from '../config.js';
import { EXIT_CODE_BY_NAME, NotSignedInError, UsageError } from '../errors.js';

export const loginCommand: Command = {
  name: 'login',
  summary: 'Store the address of the service and an API key',
  usage: '',
  description: `Asks for an API key, or reads it from standard input if that is not a terminal, checks it, and stores it with the address \
in the folder of your settings, where only you can read it. Keys are made in the console of the service, on the page Keys. The key is \
never an argument, because other users of a machine can see those. ZEPHYR_API_KEY takes precedence over the stored key.`,
  options: {},
  async run(context, positionals, options) {
    if (positionals.length > 0)
      throw new UsageError('login takes no arguments. The key is asked for, or read from standard input.');
    const server = await resolveServerUrl(context, options);
    const apiKey = (await readKey(context, server)).trim();
    if (apiKey === '') throw new NotSignedInError('No key was given.');
    const account = await createClient(server, apiKey).account({ signal: context.signal });
    const path = await writeConfig(context, { server, api_key: apiKey });
    printLine(
      context.stderr,
      `Signed in to ${account.name} at ${server} with the key ${account.api_key.name}. Stored in ${path}.`,
    );
    if (context.env['ZEPHYR_API_KEY'])
      printLine(context.stderr, 'ZEPHYR_API_KEY is set and takes precedence.');
    return EXIT_CODE_BY_NAME.ok;
  },
};

export const logoutCommand: Command = {
  name: 'logout',
  summary: 'Remove the stored API key',
  usage: '',
  description: 'The key stays valid. Revoke it in the console.',
  options: {},
  async run(context) {
    await rm(getConfigPath(context), { force: true });
    return EXIT_CODE_BY_NAME.ok;
  },
};

async function readKey(context: CliContext, server: string): Promise<string> {
  if (context.stdin.isTTY === true) {
    printLine(
      context.stderr,
      `Make a key at ${new URL('console/keys', server.endsWith('/') ? server : `${server}/`).href}`,
    );
    return context.askSecret('API key: ');
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of context.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
