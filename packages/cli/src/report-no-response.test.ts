import { ConnectionTimeoutError } from 'zephyr-client';
import { expect, it, vi } from 'vitest';
import { createFetchReportingOutages } from './report-no-response.js';

const fail = (code: string) => () => Promise.reject(new TypeError('fetch failed', { cause: { code } }));

/** Sends requests that have these outcomes. @returns what was reported */
async function send(outcomes: (() => Promise<Response>)[], signal?: AbortSignal): Promise<string[]> {
  const reported: string[] = [];
  const outcome = vi.fn<typeof fetch>();
  for (const each of outcomes) outcome.mockImplementationOnce(each);
  const reporting = createFetchReportingOutages((origin) => reported.push(origin), outcome);
  for (const _ of outcomes)
    await reporting('http://fake/api/v1/jobs', signal ? { signal } : {}).catch(() => undefined);
  expect(outcome).toHaveBeenCalledTimes(outcomes.length);
  return reported;
}

const answer = () => Promise.resolve(new Response(''));

it('a server that does not respond is reported once, and again after it has responded', async () => {
  const refused = fail('ECONNREFUSED');
  expect(await send([refused, refused, refused])).toEqual(['http://fake']);
  expect(await send([refused, answer, refused, refused])).toEqual(['http://fake', 'http://fake']);
  expect(await send([refused], AbortSignal.abort(new ConnectionTimeoutError('late')))).toEqual([
    'http://fake',
  ]);
});

it('a refused certificate, a server without TLS and an interrupted command are not reported, as nothing is tried again', async () => {
  expect(await send([fail('SELF_SIGNED_CERT_IN_CHAIN')])).toEqual([]);
  expect(await send([fail('ERR_SSL_WRONG_VERSION_NUMBER')])).toEqual([]);
  expect(await send([fail('ECONNREFUSED')], AbortSignal.abort(new Error('Interrupted.')))).toEqual([]);
});
