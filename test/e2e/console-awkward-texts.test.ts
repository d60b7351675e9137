import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from './support/console-client.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { PUBLIC_ORIGIN as ORIGIN, useSharedService } from './support/shared-service.js';

/** What Postgres cannot store. */
const TEXTS = ['a\u0000b', 'a\ud800b'];
const CONFIRM = { current_password: PASSWORD };

let service: RunningService;
let owner: ConsoleClient;
let token: string;
let keyId: string;

beforeAll(async () => {
  service = await useSharedService('publicUrl');
  const users = new ConsoleUsers(service, (await service.openAccount(0)).account_id, ORIGIN);
  owner = await users.createWithPassword('owner@awkward.example.org');
  const invitation = { email: 'invited@awkward.example.org', role: 'viewer' };
  token = String((await owner.request('POST', 'invitations', invitation)).body['link']).split('#')[1] ?? '';
  keyId = String((await owner.request('POST', 'keys', { name: 'busy' })).body['id']);
});

describe.each(TEXTS)('text that cannot be stored, %j, is rejected by name of the field', (text) => {
  const anybody = () => new ConsoleClient(service, ORIGIN);
  const limit = { limit: 'upload', requests_per_minute: 500 };

  it.each<[string, string, string, () => ConsoleClient, () => object]>([
    ['POST', 'sign-in', 'email', anybody, () => ({ email: `${text}@example.org`, password: PASSWORD })],
    ['POST', 'sign-in/forgot-password', 'email', anybody, () => ({ email: `${text}@example.org` })],
    ['POST', 'invitation/accept', 'name', anybody, () => ({ token, name: text, password: PASSWORD })],
    ['PUT', 'profile/passkeys/phone', 'name', () => owner, () => ({ name: text })],
    ['POST', 'limit-requests', 'key_id', () => owner, () => ({ ...limit, key_id: text, reason: 'many' })],
    ['POST', 'limit-requests', 'reason', () => owner, () => ({ ...limit, key_id: keyId, reason: text })],
    ['POST', 'keys', 'name', () => owner, () => ({ name: text })],
    ['PUT', 'account', 'name', () => owner, () => ({ name: text })],
    ['POST', 'vocabularies', 'name', () => owner, () => ({ name: text, terms: ['Ada'] })],
    ['POST', 'vocabularies', 'terms', () => owner, () => ({ name: 'People', terms: [text] })],
    [
      'POST',
      'invitations',
      'email',
      () => owner,
      () => ({ email: `${text}@awkward.example.org`, role: 'viewer' }),
    ],
  ])('%s %s: %s', async (method, path, field, getClient, getBody) => {
    expect(await getClient().request(method, path, getBody())).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    });
  });
});

it.each(['"a b"@awkward.example.org', 'somebody,else@awkward.example.org'])(
  'an invitation to %s, which no user could have, is rejected by name of the field',
  async (email) => {
    expect(await owner.request('POST', 'invitations', { email, role: 'viewer' })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'email' }] },
    });
  },
);

it.each([
  ['DELETE', 'keys/', undefined],
  ['DELETE', 'profile/passkeys/', CONFIRM],
  ['PUT', 'profile/passkeys/', { name: 'Phone' }],
  ['DELETE', 'members/', undefined],
  ['DELETE', 'webhook-endpoints/', undefined],
  ['GET', 'jobs/', undefined],
])('%s %s… with an id that cannot be stored is the id of nothing', async (method, path, body) => {
  expect((await owner.request(method, `${path}%00`, body)).status).toBe(404);
});

it('a passkey whose id cannot be stored signs nobody in', async () => {
  const response = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA', userHandle: '\u0000' };
  const credential = {
    id: '\u0000',
    rawId: '\u0000',
    type: 'public-key',
    response,
    clientExtensionResults: {},
  };
  const { status } = await owner.request('POST', 'sign-in/passkey', { credential });
  expect([401, 422]).toContain(status);
});
