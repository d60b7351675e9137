import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { transcriptQueryOptions } from '../transcript/transcript-queries.ts';
import { ApiError, isSessionOutdatedError, requestFile, requestJson } from './client.ts';

beforeEach(() => {
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ segments: [] })));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it('the console waits a minute for transcripts and downloads, as the client does, and 20 seconds for all else', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  await requestJson('GET', 'members');
  await requestFile('jobs/job/transcript?format=pdf');
  const { queryFn } = transcriptQueryOptions('account', 'job');
  if (typeof queryFn !== 'function') throw new Error('The transcript is not read.');
  await queryFn({} as Parameters<typeof queryFn>[0]);
  expect(timeout.mock.calls.flat()).toEqual([20_000, 60_000, 60_000]);
});

it.each([
  ['not_signed_in', 401, true],
  ['account_switched', 409, true],
  ['two_factors_required', 403, true],
  ['permission_denied', 403, true],
  ['recent_sign_in_required', 403, false],
  ['job_not_found', 404, false],
])('after %s (%i) the session is read again: %s', (code, status, isRead) =>
  expect(isSessionOutdatedError(new ApiError(status, { code }, null))).toBe(isRead),
);
