import { beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient, type ConsoleResponse } from './support/console-client.js';
import { CONSOLE_ROUTES, type ConsoleRoute, ROLES_BY_PERMISSION } from './support/console-routes.js';
import { ConsoleUsers, PASSWORD } from './support/console-users.js';
import { createForeignAccount, FOREIGN_ENDPOINT, type ForeignAccount } from './support/foreign-account.js';
import {
  type Answer,
  FOREIGN_ID_REQUESTS,
  FOREIGN_VOCABULARY,
  type ForeignIdRequest,
  NO_IDS,
} from './support/foreign-id-requests.js';
import type { RunningService } from './support/running-service.js';
import { useSharedService } from './support/shared-service.js';

type RouteResponse = ConsoleResponse<{ code?: string } | undefined>;

const ROLES = ['owner', 'admin', 'member', 'viewer'];
/** Each requests with ids of an account that it does not belong to. */
const CALLERS = [...ROLES, 'nobody', 'owner of another account'];

/** These end the session or the membership, so they come last. */
const LAST_PATHS = ['members/leave', 'sign-out'];

/** Without a valid body the answer is 422 before an id is looked up. */
const BODIES: Record<string, unknown> = {
  'PUT jobs/:job_id/corrections/:segment': { text: 'Good morning.' },
  'PATCH jobs/:job_id/speakers': { speakers: { SPEAKER_1: 'Ada' } },
  'PUT members/:userId/role': { role: 'viewer' },
  'PUT profile/passkeys/:id': { name: 'Phone' },
  'DELETE profile/passkeys/:id': { current_password: PASSWORD },
  'PUT webhook-endpoints/:id': FOREIGN_ENDPOINT,
  'PUT vocabularies/:id': { name: 'People', terms: ['Ada'] },
  'DELETE profile/sessions/:id': { current_password: PASSWORD },
};

/** A confirmation by the password gives the session another cookie. */
const RENEWED = /^zephyr_session=[\w-]{43}$/;

let service: RunningService;
let foreign: ForeignAccount;
const browsers = new Map<string, ConsoleClient>();

beforeAll(async () => {
  service = await useSharedService();
  const users = new ConsoleUsers(service, (await service.openAccount(10)).account_id);
  for (const role of ROLES)
    browsers.set(role, await users.createWithPassword(`${role}@permissions.example.org`, role));
  // So that the owner of the list is not the last one when it leaves.
  await users.createByRows('second-owner@permissions.example.org');
  foreign = await createForeignAccount(service);
  browsers.set('nobody', new ConsoleClient(service));
  const third = new ConsoleUsers(service, (await service.openAccount(10)).account_id);
  browsers.set('owner of another account', await third.createWithPassword('foreign@permissions.example.org'));
});

async function send(
  signedIn: ConsoleClient | undefined,
  { method, path }: Pick<ConsoleRoute, 'method' | 'path'>,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<RouteResponse> {
  // A route may end its session or set another cookie, which the next request must not have.
  const browser = new ConsoleClient(service);
  browser.cookie = signedIn?.cookie;
  const response: RouteResponse = await browser.request(method, path, body, headers);
  if (signedIn?.cookie && RENEWED.test(browser.cookie ?? '')) signedIn.cookie = browser.cookie;
  return response;
}

/** With the ids of the foreign account in the path. */
function requestWithPathIds(signedIn: ConsoleClient | undefined, { method, path }: ConsoleRoute) {
  const address = path
    .replace(':job_id', foreign.ids.pendingJob)
    .replace(':segment', '0')
    .replace(/:\w+/, () => foreign.pathIds[path] ?? expect.unreachable(`an id for ${path}`));
  const body = BODIES[`${method} ${path}`] ?? (method === 'GET' ? undefined : {});
  return send(signedIn, { method, path: address }, body);
}

function isPermitted(caller: string, access: string): boolean {
  if (access === 'anyone') return true;
  if (caller === 'nobody') return false;
  const role = caller === 'owner of another account' ? 'owner' : caller;
  return (
    access === 'signed_in' || access === 'member' || (ROLES_BY_PERMISSION[access]?.includes(role) ?? false)
  );
}

function expectRejection(caller: string, { status, body }: RouteResponse): void {
  expect({ status, code: body?.code }).toEqual(
    caller === 'nobody' ? { status: 401, code: 'not_signed_in' } : { status: 403, code: 'permission_denied' },
  );
}

const expectAnswer = ({ status, body }: RouteResponse, expected: Answer) =>
  expect({ status, body }).toMatchObject(expected);

interface NamedForeignIdRequest extends ConsoleRoute {
  names: string;
  read: () => ForeignIdRequest;
}

const WITH_FOREIGN_IDS = Object.entries(FOREIGN_ID_REQUESTS).flatMap(
  ([name, toRequests]): NamedForeignIdRequest[] => {
    const route = CONSOLE_ROUTES.find(({ method, path }) => `${method} ${path}` === name);
    if (!route) throw new Error(`There is no route ${name}.`);
    return toRequests(NO_IDS).map(({ body, query, headers }, at) => ({
      ...route,
      names: Object.keys(headers ?? query ?? body ?? {}).join(' and '),
      read: () => toRequests(foreign.ids)[at] ?? expect.unreachable(name),
    }));
  },
);

function sendWithForeignIds(
  signedIn: ConsoleClient | undefined,
  { method, path, read }: NamedForeignIdRequest,
) {
  const { body, query, headers } = read();
  const address = query ? `${path}?${new URLSearchParams(query as Record<string, string>)}` : path;
  return send(signedIn, { method, path: address }, body, headers);
}

const ORDERED = CONSOLE_ROUTES.toSorted((a, b) => LAST_PATHS.indexOf(a.path) - LAST_PATHS.indexOf(b.path));

// First, because the requests of the callers end their sessions.
describe('an owner whose page names another account in the header X-Console-Account', () => {
  const ofMembers = CONSOLE_ROUTES.filter(({ access }) => access !== 'anyone' && access !== 'signed_in');
  it.each(ofMembers)('is refused at $method $path', async ({ method, path }) => {
    const headers = { 'x-console-account': foreign.ids.account };
    const body = method === 'GET' ? undefined : {};
    const response = await send(browsers.get('owner'), { method, path }, body, headers);
    expectAnswer(response, { status: 409, body: { code: 'account_switched' } });
  });
});

describe.each(CALLERS)('%s', (caller) => {
  // Before the routes that end the session.
  it.each(WITH_FOREIGN_IDS)(
    '$method $path with $names of another account is refused or finds nothing',
    async (route) => {
      const response = await sendWithForeignIds(browsers.get(caller), route);
      if (!isPermitted(caller, route.access)) return expectRejection(caller, response);
      const { answer, body, query } = route.read();
      expectAnswer(response, answer);
      const sent = JSON.stringify({ body, query });
      const received = JSON.stringify(response.body) ?? '';
      const returned = Object.values(foreign.ids).filter(
        (id) => id.length > 20 && !sent.includes(id) && received.includes(id),
      );
      expect(returned).toEqual([]);
    },
  );

  it.each(ORDERED)('$method $path ($access)', async (route) => {
    const response = await requestWithPathIds(browsers.get(caller), route);
    if (!isPermitted(caller, route.access)) return expectRejection(caller, response);
    const { status, body } = response;
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

describe('the account whose ids they were', () => {
  it('nothing of it has changed', async () => {
    const read = async (path: string) => (await foreign.owner.request('GET', path)).body;
    const { ids } = foreign;
    expect(await read('session')).toMatchObject({
      user: { email: 'victim@permissions.example.org' },
      account: { role: 'owner' },
    });
    expect(await read('members')).toMatchObject({ members: [{ user_id: ids.user, role: 'owner' }] });
    expect(await read('invitations')).toMatchObject({
      invitations: [{ email: 'x@permissions.example.org' }],
    });
    expect(await read('keys')).toMatchObject({
      keys: [
        { name: 'foreign', revoked_at: null },
        { name: 'first key', revoked_at: null },
      ],
    });
    expect(await read('limit-requests')).toEqual({ requests: [] });
    expect(await read('webhook-endpoints')).toMatchObject({ endpoints: [FOREIGN_ENDPOINT] });
    expect(await read('deliveries')).toMatchObject({
      deliveries: [
        { id: ids.testDelivery, status: 'failed' },
        { id: ids.failedDelivery, status: 'failed' },
      ],
    });
    expect(await read('vocabularies')).toMatchObject({
      vocabularies: [{ name: FOREIGN_VOCABULARY, term_count: 1 }],
    });
    expect(await read('billing/payments')).toMatchObject({ payments: [{ id: ids.payment }, { credits: 1 }] });
    expect(await read('profile/passkeys')).toMatchObject({ passkeys: [{ name: 'Foreign' }] });
    expect(await read('profile/sessions')).toMatchObject({ sessions: [{}, {}] });
    expect(await read('jobs')).toMatchObject({
      jobs: [
        { job_id: ids.endedJob, status: 'failed' },
        { job_id: ids.multipartJob, status: 'processing' },
        { job_id: ids.pendingJob, status: 'processing', file_name: 'a.wav', failed_stage: null },
      ],
    });
    expect(await read(`jobs/${ids.pendingJob}/corrections`)).toMatchObject({
      corrections: [{ segment: 0, text: 'Foreign' }],
    });
    expect(await read('audit')).toHaveProperty('events.0.id', Number(ids.auditEvent));
  });

  // Otherwise the answers to the others would prove nothing.
  it.each(WITH_FOREIGN_IDS)('its owner gets other answers: $method $path with $names', async (route) => {
    const response = await sendWithForeignIds(foreign.owner, route);
    expectAnswer(response, route.read().ownAnswer);
  });

  const ORDER_OF_METHODS = ['GET', 'PUT', 'PATCH', 'POST', 'DELETE'];
  const withIds = CONSOLE_ROUTES.filter(({ path }) => path.includes(':')).toSorted(
    (a, b) => rank(a) - rank(b),
  );
  /** A stream ends with its job, and what is deleted cannot be requested afterwards. */
  function rank({ method, path }: ConsoleRoute): number {
    if (path.endsWith('/stream')) return ORDER_OF_METHODS.indexOf('DELETE') - 0.5;
    const deletesJob = method === 'DELETE' && path === 'jobs/:job_id';
    return deletesJob ? ORDER_OF_METHODS.length : ORDER_OF_METHODS.indexOf(method);
  }
  it.each(withIds)('its owner finds what the path names: $method $path', async (route) => {
    const { status, body } = await requestWithPathIds(foreign.owner, route);
    expect(['job_not_found', 'no_such_resource']).not.toContain(body?.code);
    expect(status).toBeLessThan(500);
  });
});
