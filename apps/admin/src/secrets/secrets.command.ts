import { listAuditEvents } from '@app/auth';
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
import { formatEncryptionKeyReport, reportEncryptionKeys } from './encryption-key-report.js';

const ADDED_ACTION = 'secrets.service_secret_added';
const USED_ACTION = 'secrets.service_secret_used';

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
    const fingerprint = computeSecretFingerprint(services.bootContext.secrets[0]);
    const keys = await reportEncryptionKeys(services);
    printResult(options, { rotated, left, service_secret, fingerprint, ...keys }, () =>
      [
        `${rotated} rows encrypted again, ${left} left under other keys.`,
        ...formatEncryptionKeyReport(keys),
        `The fingerprint of the service secret in use is ${fingerprint}.`,
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
    await replaceAndRecord(await this.context.open(), file, [current, next], ADDED_ACTION, next);
    printNextStep(options, file, [current, next], 'Restart every program, then: secrets service-secret use.');
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
    const services = await this.context.open();
    await assertNotUsedYet(services, current);
    await replaceAndRecord(services, file, [next, current], USED_ACTION, next);
    printNextStep(options, file, [next, current], 'Restart every program, then: secrets rotate.');
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
      [current],
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

/** Another exchange would sign with the earlier secret again. @throws CommandError */
async function assertNotUsedYet(
  { dataSource, usesCurrentSecret }: AdminServices,
  current: string,
): Promise<void> {
  if (!(await usesCurrentSecret()))
    throw new CommandError('The next secret is in use already: run secrets rotate.');
  // After `secrets rotate` the file and the database look as they did after `add`.
  const [used] = await listAuditEvents(dataSource, { action: USED_ACTION }, 1);
  if (used === undefined || used.details['fingerprint'] !== computeSecretFingerprint(current)) return;
  const [added] = await listAuditEvents(dataSource, { action: ADDED_ACTION, since: used.at }, 1);
  if (added === undefined)
    throw new CommandError('The next secret is in use already: run secrets service-secret drop.');
}

function printNextStep(
  options: JsonOption,
  { path }: ServiceSecretFile,
  secrets: ServiceSecretWithFallbacks,
  next: string,
): void {
  const accepted = secrets.length;
  const fingerprint = computeSecretFingerprint(secrets[0]);
  printResult(
    options,
    { path, accepted, fingerprint, next },
    () =>
      `${path} now contains ${accepted} of them. The fingerprint of the one in use is ${fingerprint}. ${next}`,
  );
}
