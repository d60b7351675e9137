import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listOperatorCommands } from './testing/list-operator-commands.js';

const ROOT = join(import.meta.dirname, '../../..');

/** Commands that change something, and the action of an audit event that they write. */
const AUDITED: Record<string, string> = {
  migrate: 'schema.migrated',
  'accounts create': 'account.created',
  'accounts suspend': 'account.suspended',
  'accounts resume': 'account.resumed',
  'accounts retention': 'account.retention_changed',
  'accounts quotas': 'account.quotas_changed',
  'accounts two-factors': 'account.two_factors_changed',
  'users create': 'user.created',
  'users link': 'user.link_created',
  'users role': 'member.role_changed',
  'users remove': 'member.removed',
  'users disable': 'user.disabled',
  'users enable': 'user.enabled',
  'users reset-factors': 'user.factors_removed',
  'users unlink': 'user.identity_unlinked',
  'keys create': 'key.created',
  'keys limit': 'key.limit_changed',
  'keys revoke': 'key.revoked',
  'limits grant': 'limit.granted',
  'limits decline': 'limit.declined',
  'credits grant': 'payment.credits_granted',
  'credits recharge': 'payment.auto_recharge_changed',
  'credits settle': 'payment.settled',
  'credits decline': 'payment.declined',
  'credits top-up': 'payment.top_up_started',
  'credits reconcile': 'payment.reconciled',
  'vocabularies save': 'vocabulary.changed',
  'vocabularies delete': 'vocabulary.deleted',
  'webhooks replay': 'webhooks.replayed',
  'webhooks hold': 'webhooks.held',
  'webhooks release': 'webhooks.released',
  'webhooks secret reveal': 'signing_secret.revealed',
  'webhooks secret rotate': 'signing_secret.rotated',
  'webhooks endpoints create': 'webhooks.endpoint_created',
  'webhooks endpoints change': 'webhooks.endpoint_changed',
  'webhooks endpoints disable': 'webhooks.endpoint_disabled',
  'webhooks endpoints enable': 'webhooks.endpoint_enabled',
  'webhooks endpoints delete': 'webhooks.endpoint_deleted',
  'secrets rotate': 'secrets.rotated',
  'secrets service-secret add': 'secrets.service_secret_added',
  'secrets service-secret use': 'secrets.service_secret_used',
  'secrets service-secret drop': 'secrets.service_secret_dropped',
  'jobs retry': 'job.retried',
  'jobs cancel': 'job.cancelled',
  'jobs delete': 'job.deleted',
  'store adopt': 'store.adopted',
  'store reconcile': 'store.reconciled',
  'store orphans': 'store.orphans_deleted',
  restore: 'backup.restored',
};

const CHANGES_NOTHING = [
  'accounts list',
  'users list',
  'keys list',
  'limits list',
  'credits show',
  'credits payments',
  'credits disputes',
  'vocabularies list',
  'vocabularies show',
  'webhooks deliveries',
  'webhooks attempts',
  'webhooks endpoints list',
  'models list',
  'models check',
  'models verify',
  'jobs list',
  'jobs show',
  'store show',
  'audit',
  'doctor',
  'capacity',
];

/** Each with the reason that ADR 32 gives. */
const EXCEPTED: Record<string, string> = {
  start: 'starts the programs and changes nothing itself',
  backup: 'writes a new folder only; database and store stay as they are',
  'models setup': 'changes the model folder of one machine and works without a database',
  'models pull': 'changes the model folder of one machine and works without a database',
  'models remove': 'changes the model folder of one machine and works without a database',
};

function readSources(folder: string): string {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('node_modules'))
    .map((name) => readFileSync(join(ROOT, folder, name), 'utf8'))
    .join('\n');
}

describe('the audit events of operator commands', () => {
  it('every command is in exactly one list: it writes an audit event, changes nothing, or is excepted', () => {
    const decided = [...Object.keys(AUDITED), ...CHANGES_NOTHING, ...Object.keys(EXCEPTED)];
    expect(decided.toSorted()).toEqual(
      listOperatorCommands()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it('the sources contain the action of every command that writes an audit event', () => {
    const sources = readSources('apps/admin/src') + readSources('libs');
    const unknown = Object.values(AUDITED).filter((action) => !sources.includes(`'${action}'`));
    expect(unknown).toEqual([]);
  });

  it.each(Object.entries(EXCEPTED))('ADR 32 excepts %s: it %s', (name, reason) => {
    const lines = readFileSync(join(ROOT, 'docs/adr/0032-audit-of-jobs.md'), 'utf8').split('\n');
    expect(lines.find((line) => line.includes(`\`${name}\``))).toContain(reason);
  });
});
