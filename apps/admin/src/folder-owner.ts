import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, resolveModelsFolder } from '@app/config';
import { CommandError } from './output.js';

/** Entries of DATA_DIR that the programs create. */
const ENTRIES_OF_PROGRAMS = ['service-secret', 'postgres', 'objects'];

/** For commands that may write there: the service cannot read what root creates. @throws CommandError */
export async function assertRootMayWrite(folder: string): Promise<void> {
  const owner = await findOwnerOtherThanRoot(folder);
  if (owner !== undefined) throw new CommandError(await describeOwner(folder, owner));
}

/** For commands that may write models. @throws CommandError */
export async function assertRootMayWriteModels(config: Config): Promise<void> {
  const { dataDir } = config.service;
  if (config.speech.modelsDir === undefined) return assertRootMayWrite(dataDir);
  const owner = await findOwnerOtherThanRoot(resolveModelsFolder(config), dataDir);
  if (owner !== undefined) throw new CommandError(await describeOwner(config.speech.modelsDir, owner));
}

export async function warnIfRootShouldNotWrite(folder: string): Promise<void> {
  const owner = await findOwnerOtherThanRoot(folder);
  if (owner !== undefined) process.stderr.write(`Warning: ${await describeOwner(folder, owner)}\n`);
}

/** @returns undefined also where root runs the service on a folder of another user, as in a container with a bind mount */
async function findOwnerOtherThanRoot(folder: string, dataDir = folder): Promise<number | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await findOwner(folder);
  if (owner === undefined || owner === 0) return undefined;
  const owners = await Promise.all(ENTRIES_OF_PROGRAMS.map((name) => findOwner(join(dataDir, name))));
  return owners.includes(0) ? undefined : owner;
}

async function findOwner(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ uid }) => uid,
    () => undefined,
  );
}

async function describeOwner(folder: string, uid: number): Promise<string> {
  const name = (await findUserName(uid)) ?? `#${uid}`;
  const quoted = name.startsWith('#') ? `'${name}'` : name;
  return `${folder} belongs to user ${name}, who could not read what root writes there: run it as user ${name} (sudo -u ${quoted} ...).`;
}

async function findUserName(uid: number): Promise<string | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return users
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , id]) => id === String(uid))?.[0];
}
