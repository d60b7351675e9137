import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, resolveModelsFolder } from '@app/config';
import { CommandError } from './output.js';

/** Entries of DATA_DIR that the programs create. Not `models`, which root may have pulled for another user. */
const ENTRIES_OF_PROGRAMS = ['service-secret', 'postgres', 'objects', 'work'];

/** For commands that may write to the database, the store or the secret, of which all may be elsewhere. @throws CommandError */
export async function assertRootMayWriteServiceData(config: Config): Promise<void> {
  if (hasServiceDataInDataDir(config)) await assertRootMayWrite(config.service.dataDir);
}

export async function warnIfRootMayNotWriteServiceData(config: Config): Promise<void> {
  if (!hasServiceDataInDataDir(config)) return;
  const { dataDir } = config.service;
  const owner = await findOwnerOtherThanRoot(dataDir);
  if (owner !== undefined) process.stderr.write(`Warning: ${await describeOwner(dataDir, owner)}\n`);
}

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

function hasServiceDataInDataDir({ database, storage, service }: Config): boolean {
  return database.url === undefined || storage.s3Bucket === undefined || service.secret === undefined;
}

interface FolderOwner {
  uid: number;
  gid: number;
}

/** @returns undefined also where root runs the service on a folder of another user, as in a container with a bind mount */
async function findOwnerOtherThanRoot(folder: string, dataDir = folder): Promise<FolderOwner | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await findOwner(folder);
  if (owner === undefined || owner.uid === 0) return undefined;
  const owners = await Promise.all(ENTRIES_OF_PROGRAMS.map((name) => findOwner(join(dataDir, name))));
  return owners.some((each) => each?.uid === 0) ? undefined : owner;
}

async function findOwner(path: string): Promise<FolderOwner | undefined> {
  return stat(path).catch(() => undefined);
}

/** The programs that it names keep the environment, unlike `sudo`: without its settings, a command may create another service. */
async function describeOwner(folder: string, { uid, gid }: FolderOwner): Promise<string> {
  const name = await findUserName(uid);
  const program =
    name === undefined ? `setpriv --reuid=${uid} --regid=${gid} --clear-groups` : `runuser -u ${name} --`;
  const user = name ?? `#${uid}`;
  return `${folder} belongs to user ${user}, who could not read what root writes there: run it as user ${user}, with the same settings (${program} ..., under systemd as docs/operating/deployment.md shows for doctor).`;
}

async function findUserName(uid: number): Promise<string | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return users
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, , id]) => id === String(uid))?.[0];
}
