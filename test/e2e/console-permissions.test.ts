import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient, type ConsoleResponse } from './support/console-client.js';
import { CONSOLE_ROUTES, type ConsoleRoute, ROLES_BY_PERMISSION } from './support/console-routes.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

const ROLES = ['owner', 'admin', 'member', 'viewer'];
/** Each requests with ids of an account that it does not belong to. */
const CALLERS = [...ROLES, 'nobody', 'owner of another account'];

/** These end the session or the membership, so they come last. */
const LAST_PATHS = ['members/leave', 'sign-out'];
/** Nothing listens at port 9. */
const ENDPOINT = { url: 'http://127.0.0.1:9/', description: '', events: ['failed'], enabled: true };

/** Without a valid body the answer is 422 before an id is looked up. */
const BODIES: Record<string, unknown> = {
  'PUT jobs/:job_id/corrections/:segment': { text: 'Good morning.' },
  'PATCH jobs/:job_id/speakers': { speakers: { SPEAKER_1: 'Ada' } },
  'PUT members/:userId/role': { role: 'viewer' },
  'PUT profile/passkeys/:id': { name: 'Phone' },
  'DELETE profile/passkeys/:id': { current_password: PASSWORD },
  'PUT webhook-endpoints/:id': ENDPOINT,
  'PUT vocabularies/:id': { name: 'People', terms: ['Ada'] },
  'DELETE profile/sessions/:id': { current_password: PASSWORD },
};

let service: RunningService;
const browsers = new Map<string, ConsoleClient>();
/** Ids of the account that the callers do not belong to, by path. */
const foreignIds: Record<string, string> = {};
let foreignJobId: string;
let foreignState: () => Promise<unknown>;

beforeAll(async () => {
  service = await useSharedService();
  const users = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
  const others = new ConsoleUsers(service, (await service.openAccount(1000)).account_id);
  for (const role of ROLES)
    browsers.set(role, await users.createWithPassword(`${role}@permissions.example.org`, role));
  // So that the owner of the list is not the last one when it leaves.
  await users.create('second-owner@permissions.example.org');
  const victim = await others.createWithPassword('victim@permissions.example.org');
  browsers.set('nobody', new ConsoleClient(service));
  const third = new ConsoleUsers(service, (await service.openAccount(0)).account_id);
  browsers.set('owner of another account', await third.createWithPassword('foreign@permissions.example.org'));
  const { body: session } = await victim.request<{ user: { id: string } }>('GET', 'session');
  const invited = await victim.request('POST', 'invitations', {
    email: 'x@permissions.example.org',
    role: 'viewer',
  });
  const key = await victim.request('POST', 'keys', { name: 'foreign' });
  const endpoint = await victim.request('POST', 'webhook-endpoints', ENDPOINT);
  const endpointPath = `webhook-endpoints/${String(endpoint.body.id)}`;
  const delivery = await victim.request('POST', `${endpointPath}/test`);
  const sessions = await victim.request<{ sessions: { id: string }[] }>('GET', 'profile/sessions');
  const vocabulary = await victim.request('POST', 'vocabularies', { name: 'Foreign', terms: ['Ada'] });
  foreignIds['vocabularies/:id'] = String(vocabulary.body.id);
  const job = await victim.request('POST', 'upload', { file_size: 100, metadata: { file_name: 'a.wav' } });
  foreignJobId = String(job.body.job_id);
  foreignIds['members/:userId'] = session.user.id;
  foreignIds['members/:userId/role'] = session.user.id;
  foreignIds['invitations/:id'] = String(invited.body.id);
  foreignIds['keys/:id'] = String(key.body.id);
  for (const path of ['webhook-endpoints/:id', 'webhook-endpoints/:id/test'])
    foreignIds[path] = String(endpoint.body.id);
  for (const path of ['deliveries/:id', 'deliveries/:id/replay'])
    foreignIds[path] = String(delivery.body.delivery_id);
  foreignIds['profile/sessions/:id'] = sessions.body.sessions[0]?.id ?? '';
  foreignState = async () => ({
    session: (await victim.request('GET', 'session')).body,
    invitations: (await victim.request('GET', 'invitations')).body,
    keys: (await victim.request('GET', 'keys')).body,
    endpoints: (await victim.request('GET', 'webhook-endpoints')).body,
    vocabularies: (await victim.request('GET', 'vocabularies')).body,
    deliveries: (await victim.request<{ deliveries: unknown[] }>('GET', 'deliveries')).body.deliveries.length,
    job: (await victim.request('GET', `jobs/${foreignJobId}`)).body,
    role: (
      await victim.request<{ members: { email: string; role: string }[] }>('GET', 'members')
    ).body.members.map(({ email, role }) => `${email} ${role}`),
  });
});

function request(
  caller: string,
  { method, path }: ConsoleRoute,
): Promise<ConsoleResponse<{ code?: string } | undefined>> {
  // A route may end its session or set another cookie, which the next request must not have.
  const browser = new ConsoleClient(service);
  browser.cookie = browsers.get(caller)?.cookie;
  const address = path
    .replace(':job_id', foreignJobId)
    .replace(':segment', '0')
    .replace(/:\w+/, foreignIds[path] ?? randomUUID());
  const body = BODIES[`${method} ${path}`] ?? (method === 'GET' ? undefined : {});
  return browser.request(method, address, body);
}

function isPermitted(caller: string, access: string): boolean {
  if (access === 'anyone') return true;
  if (caller === 'nobody') return false;
  const role = caller === 'owner of another account' ? 'owner' : caller;
  return (
    access === 'signed_in' || access === 'member' || (ROLES_BY_PERMISSION[access]?.includes(role) ?? false)
  );
}

const ORDERED = CONSOLE_ROUTES.toSorted((a, b) => LAST_PATHS.indexOf(a.path) - LAST_PATHS.indexOf(b.path));

describe.each(CALLERS)('%s', (caller) => {
  it.each(ORDERED)('$method $path ($access)', async (route) => {
    const { status, body } = await request(caller, route);
    const rejection = caller === 'nobody' ? 'not_signed_in' : 'permission_denied';
    if (!isPermitted(caller, route.access))
      return expect({ status, code: body?.code }).toEqual({
        status: caller === 'nobody' ? 401 : 403,
        code: rejection,
      });
    if (route.access !== 'anyone') expect(body?.code).not.toBe('not_signed_in');
    expect(body?.code).not.toBe('permission_denied');
    expect(status).toBeLessThan(500);
    if (route.path.includes(':'))
      expect({ status, code: body?.code }).toEqual({
        status: 404,
        code: route.path.includes(':job_id') ? 'job_not_found' : 'no_such_resource',
      });
  });
});

it('nothing of the other account has changed', async () => {
  expect(await foreignState()).toMatchObject({
    session: { user: { email: 'victim@permissions.example.org' }, account: { role: 'owner' } },
    invitations: { invitations: [{ email: 'x@permissions.example.org' }] },
    endpoints: { endpoints: [ENDPOINT] },
    deliveries: 1,
    vocabularies: { vocabularies: [{ name: 'Foreign', term_count: 1 }] },
    job: { status: 'processing', file_name: 'a.wav', failed_stage: null },
    keys: {
      keys: [
        { name: 'foreign', revoked_at: null },
        { name: 'first key', revoked_at: null },
      ],
    },
  });
});
