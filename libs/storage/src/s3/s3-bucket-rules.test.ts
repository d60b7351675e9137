import { describe, expect, it } from 'vitest';
import {
  type FakeS3Response,
  type ReceivedS3Request,
  createS3ErrorResponse,
  startFakeS3Server,
} from '../testing/fake-s3-server.js';
import type { S3StoreOptions } from './s3-store-options.js';

const OK = { status: 200 };
const ORIGIN = 'https://zephyr.example';

interface FakeBucket {
  exists: boolean;
  /** Without rules. */
  rules?: ('cors' | 'lifecycle')[];
  /** To a request that sets the rule. */
  answers?: { cors?: FakeS3Response; lifecycle?: FakeS3Response };
  /** To a request that reads a rule. */
  readAnswer?: FakeS3Response;
}

/** @returns the warnings, and the requests that set something */
async function provision({ exists, rules = [], answers = {}, readAnswer }: FakeBucket, times = 1) {
  const respond = ({ method, path }: ReceivedS3Request): FakeS3Response => {
    const rule = /\?(cors|lifecycle)/.exec(path)?.[1] as 'cors' | 'lifecycle' | undefined;
    if (method === 'HEAD') return { status: exists ? 200 : 404 };
    if (rule === undefined) return OK;
    if (method === 'PUT') return answers[rule] ?? OK;
    if (readAnswer !== undefined) return readAnswer;
    const name = rule === 'cors' ? 'NoSuchCORSConfiguration' : 'NoSuchLifecycleConfiguration';
    return rules.includes(rule) ? OK : createS3ErrorResponse(404, name);
  };
  const warnings: string[] = [];
  const options: Partial<S3StoreOptions> = {
    corsOrigins: [ORIGIN],
    onRuleRefused: (warning) => warnings.push(warning),
  };
  await using server = await startFakeS3Server(respond, options);
  for (let time = 0; time < times; time++) await server.store.provision();
  const changes = server.requests.filter(({ method }) => method === 'PUT');
  return { warnings, changes, paths: changes.map(({ path }) => path) };
}

describe('rules of the bucket', () => {
  it('are set when the bucket is created', async () => {
    const { warnings, changes, paths } = await provision({ exists: false });
    expect(paths).toEqual(['/audio/', '/audio/?cors=', '/audio/?lifecycle=']);
    expect(String(changes[1]?.body)).toContain(`<AllowedOrigin>${ORIGIN}</AllowedOrigin>`);
    expect(String(changes[2]?.body)).toContain('<DaysAfterInitiation>7</DaysAfterInitiation>');
    expect(changes.slice(1).map(({ headers }) => headers['content-md5'])).not.toContain(undefined);
    expect(warnings).toEqual([]);
  });

  it('are optional: a server that refuses them is reported, once', async () => {
    const answers = {
      cors: createS3ErrorResponse(501, 'NotImplemented'),
      lifecycle: createS3ErrorResponse(400, 'MalformedXML'),
    };
    const { warnings } = await provision({ exists: false, answers }, 2);
    expect(warnings).toEqual([
      expect.stringMatching(/^the bucket audio has no CORS rule.*PUBLIC_URL and CORS_ORIGINS/),
      expect.stringMatching(/^the bucket audio has no lifecycle rule.*BODY_BYTES_PER_SECOND/),
    ]);
  });

  it('are set later if they are missing, and never replaced', async () => {
    expect((await provision({ exists: true })).paths).toEqual(['/audio/?cors=', '/audio/?lifecycle=']);
    expect((await provision({ exists: true, rules: ['cors'] })).paths).toEqual(['/audio/?lifecycle=']);
    expect((await provision({ exists: true, rules: ['cors', 'lifecycle'] })).paths).toEqual([]);
  });

  it('are left to the operator if the credentials may not read them', async () => {
    const readAnswer = createS3ErrorResponse(403, 'AccessDenied');
    expect(await provision({ exists: true, readAnswer })).toMatchObject({ warnings: [], paths: [] });
  });
});
