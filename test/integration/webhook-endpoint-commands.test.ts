import { Resolver } from 'node:dns/promises';
import { createAccount } from '@app/billing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  ChangeWebhookEndpointCommand,
  CreateWebhookEndpointCommand,
} from '../../apps/admin/src/webhooks/endpoints.command.js';
import { CommandError } from '../../apps/admin/src/output.js';
import { withCommandContext } from '../support/command-context.js';
import { createMigratedDatabase } from '../support/migrated-database.js';
import type { ThrowawayDatabase } from '../support/postgres.js';

const REFUSAL =
  /^\S+ does not lead to public addresses only: check the spelling, or permit it with OUTBOUND_ALLOW\.$/;

let database: ThrowawayDatabase;
beforeAll(async () => {
  database = await createMigratedDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('SERVICE_SECRET', 'a service secret of thirty-two letters');
  await withCommandContext(async (context) => {
    const { dataSource } = await context.openOrCreate();
    await createAccount(dataSource.manager, 'test', 0);
  });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.drop();
});
afterEach(() => vi.restoreAllMocks());

/** @param code of the answer to every question */
function answerDnsQueries(code: string): void {
  const fail = () => Promise.reject(Object.assign(new Error('query'), { code }));
  for (const method of ['resolve4', 'resolve6', 'resolveNs'] as const)
    vi.spyOn(Resolver.prototype, method).mockImplementation(fail);
}

describe('webhooks endpoints', () => {
  const createEndpoint = (url: string) =>
    withCommandContext((context) => new CreateWebhookEndpointCommand(context).run([url], {})).catch(
      (thrown: unknown) => thrown,
    );

  it.each(['http://127.0.0.1:9/x', 'http://name.invalid/x'])(
    'create refuses %s in one line, with what the operator can do',
    async (url) => {
      answerDnsQueries('ENOTFOUND');
      const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
      const error = await createEndpoint(url);
      expect(error).toBeInstanceOf(CommandError);
      expect((error as CommandError).message).toMatch(REFUSAL);
      expect(write).not.toHaveBeenCalled();
    },
  );

  it('create says when no name server responds', async () => {
    answerDnsQueries('ECONNREFUSED');
    const error = await createEndpoint('http://name.invalid/x');
    expect(error).toEqual(
      new CommandError('name.invalid cannot be looked up, because no name server responds.'),
    );
  });

  it('create and change refuse control characters', async () => {
    await withCommandContext(async (context) => {
      const refused = new CreateWebhookEndpointCommand(context).run(['http://example.com/\u001b[2J'], {});
      await expect(refused).rejects.toThrow('The URL must have no control characters.');
    });
    const parseOption = Object.getOwnPropertyDescriptor(ChangeWebhookEndpointCommand.prototype, '--url');
    const parse = parseOption?.value as (text: string) => string;
    expect(() => parse('http://example.com/\n')).toThrow('--url must have no control characters.');
  });
});
