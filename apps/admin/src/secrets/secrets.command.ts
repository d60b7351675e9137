import { DecryptionError } from '@app/database';
import {
  computeSecretFingerprint,
  generateServiceSecret,
  loadConfigAndCreateLogger,
  ServiceSecretFile,
  type ServiceSecretWithFallbacks,
} from '@app/runtime';
import { SubCommand } from 'nest-commander';
import type { AdminServices } from '../lazy-admin-services.js';
import { ParentCommand, createParentCommandProviders, OperatorCommand } from '../operator-command.js';
import { runAndRecordOperatorAction } from '../operator-audit.js';
import { CommandError, type JsonOption, printResult } from '../output.js';

@SubCommand({
  name: 'rotate',
  description: 'encrypt existing rows again with the current key and service secret',
})
export class RotateSecretsCommand extends OperatorCommand {
  /** The database adopts the secret last: until then no program starts without the previous secret. */
  async run(_: string[], options: JsonOption): Promise<void> {
    // It reads whole tables.
    const services = await this.context.open({ disableTimeouts: true });
    const { rotated, left, service_secret } = await runAndRecordOperatorAction(
      services.dataSource,
      { accountId: null, action: 'secrets.rotated' },
      () => reencryptAllAndAdoptSecret(services),
      (result) => ({ rows: result.rotated, service_secret: result.service_secret }),
    );
    printResult(options, { rotated, left, service_secret }, () =>
      [
        `${rotated} rows encrypted again, ${left} left under other keys.`,
        ...(service_secret === 'changed' ? ['The database now belongs to the current service secret.'] : []),
      ].join('\n'),
    );
  }
}

@SubCommand({ name: 'add', description: 'create the next secret; it is accepted but not used yet' })
export class AddServiceSecretCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { file, secrets } = await loadSecretsFile();
    if (secrets.length > 1)
      throw new CommandError(`${file.path} holds two secrets already: secrets service-secret use.`);
    const [current] = secrets;
    const next = generateServiceSecret();
    await replaceAndRecord(
      await this.context.open(),
      file,
      [current, next],
      'secrets.service_secret_added',
      next,
    );
    printNextStep(options, file, 2, 'Restart every program, then: secrets service-secret use.');
  }
}

@SubCommand({
  name: 'use',
  description: 'sign and encrypt with the next secret; the earlier one is still accepted',
})
export class UseNextServiceSecretCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { file, secrets } = await loadSecretsFile();
    const [current, next] = secrets;
    if (next === undefined)
      throw new CommandError('There is no next secret: run secrets service-secret add first.');
    await replaceAndRecord(
      await this.context.open(),
      file,
      [next, current],
      'secrets.service_secret_used',
      next,
    );
    printNextStep(options, file, 2, 'Restart every program, then: secrets rotate.');
  }
}

@SubCommand({ name: 'drop', description: 'accept only the current secret' })
export class DropEarlierServiceSecretsCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const { file, secrets } = await loadSecretsFile();
    const [current, earlier] = secrets;
    if (earlier === undefined) throw new CommandError(`${file.path} holds one secret only.`);
    // It reads whole tables.
    const services = await this.context.open({ disableTimeouts: true });
    if (!(await services.usesCurrentSecret()) || (await countOutdatedRows(services)) > 0)
      throw new CommandError(
        'Data that is encrypted with the earlier secret would be lost: run secrets rotate first.',
      );
    await replaceAndRecord(services, file, [current], 'secrets.service_secret_dropped', earlier);
    printNextStep(
      options,
      file,
      1,
      'Restart every program: URLs signed with the earlier secret are then invalid.',
    );
  }
}

const SERVICE_SECRET_COMMANDS = [
  AddServiceSecretCommand,
  UseNextServiceSecretCommand,
  DropEarlierServiceSecretsCommand,
];

@SubCommand({
  name: 'service-secret',
  description: 'change the service secret in DATA_DIR, step by step',
  subCommands: SERVICE_SECRET_COMMANDS,
})
export class ServiceSecretParentCommand extends ParentCommand {}

export const SECRET_COMMANDS = [
  ...createParentCommandProviders(
    { name: 'secrets', description: 'the service secret and the encryption keys' },
    [RotateSecretsCommand, ServiceSecretParentCommand],
  ),
  ...SERVICE_SECRET_COMMANDS,
];

async function reencryptAllAndAdoptSecret(services: AdminServices) {
  let rotated = 0;
  for (const table of services.encryptedTables)
    rotated += await table.reencryptAll().catch((error: unknown) => {
      if (!(error instanceof DecryptionError)) throw error;
      throw new CommandError(
        `${error.message} Put that key back into ENCRYPTION_KEYS, or that secret into SERVICE_SECRET_FALLBACKS.`,
      );
    });
  const left = await countOutdatedRows(services);
  const service_secret = left === 0 && (await services.adoptSecret()) ? 'changed' : 'unchanged';
  return { rotated, left, service_secret };
}

/** Counts rows that are not encrypted with the current key. */
async function countOutdatedRows({ encryptedTables }: AdminServices): Promise<number> {
  let rows = 0;
  for (const table of encryptedTables) rows += await table.countOutdated();
  return rows;
}

/**
 * Creates none: a wrong DATA_DIR must not get a secret.
 * @throws CommandError if the secret is a setting and not a file in the data folder, or there is none
 */
async function loadSecretsFile(): Promise<{ file: ServiceSecretFile; secrets: ServiceSecretWithFallbacks }> {
  const { service } = loadConfigAndCreateLogger('admin', 'silent').config;
  if (service.secret !== undefined)
    throw new CommandError(
      'SERVICE_SECRET is set: change it where it is set (docs/operating/secrets.md, “Change the service secret”).',
    );
  const file = new ServiceSecretFile(service.dataDir);
  if (!(await file.exists()))
    throw new CommandError(
      `There is no service secret in ${service.dataDir}. Set DATA_DIR to that of the service.`,
    );
  return { file, secrets: await file.readOrCreate() };
}

/** The file stays as it is if the first event cannot be written. */
async function replaceAndRecord(
  { dataSource }: AdminServices,
  file: ServiceSecretFile,
  secrets: ServiceSecretWithFallbacks,
  action: string,
  changed: string,
): Promise<void> {
  const details = { fingerprint: computeSecretFingerprint(changed) };
  await runAndRecordOperatorAction(dataSource, { accountId: null, action, details }, () =>
    file.replace(secrets),
  );
}

function printNextStep(
  options: JsonOption,
  { path }: ServiceSecretFile,
  accepted: number,
  next: string,
): void {
  printResult(options, { path, accepted, next }, () => `${path} now contains ${accepted} of them. ${next}`);
}
