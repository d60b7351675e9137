import { isAbsolute, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  InvalidConfigError,
  listVariableNameWarnings,
  loadConfig,
  resolveModelsFolder,
  resolveWorkFolder,
} from './load-config.js';

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof InvalidConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('accepts an empty environment', () => {
    const config = loadConfig({});
    expect(config.api.port).toBe(3000);
    expect(config.limits.uploadBytes).toBe(5 * 1024 ** 3);
    expect(config.database.url).toBeUndefined();
    expect(isAbsolute(config.service.dataDir)).toBe(true);
  });

  it('has the documented default limits and lifetimes', () => {
    const { uploadBytes, multipartBytes, audioBodyBytes, ...limits } = loadConfig({}).limits;
    expect([uploadBytes, multipartBytes, audioBodyBytes]).toEqual([5 * 2 ** 30, 10 * 2 ** 30, 200e6]);
    expect(limits).toMatchObject({
      uploadSeconds: 3_600,
      multipartSeconds: 86_400,
      downloadSeconds: 604_800,
    });
  });

  it('parses a decimal factor', () => {
    expect(loadConfig({ RATE_LIMIT_FACTOR: '0.5' }).api.rateLimitFactor).toBe(0.5);
    for (const wrong of ['-1', '1e3', '.5', '1001', 'x'])
      expect(problemsOf({ RATE_LIMIT_FACTOR: wrong })).toHaveLength(1);
  });

  it('returns a deeply frozen object', () => {
    const config = loadConfig({});
    expect(Object.isFrozen(config) && Object.isFrozen(config.api)).toBe(true);
  });

  it('accepts the settings of Stripe together only, and never repeats the secrets', () => {
    const [STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET] = ['sk_test_1234', 'whsec_1234'];
    expect(problemsOf({ STRIPE_SECRET_KEY, CREDIT_PRICE: '0.01' })).toEqual([
      'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together',
    ]);
    expect(problemsOf({ STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET })).toEqual([
      'STRIPE_SECRET_KEY needs CREDIT_PRICE',
    ]);
    expect(problemsOf({ STRIPE_SECRET_KEY: 'sk' })[0]).not.toContain('"sk"');
    const { payments } = loadConfig({
      STRIPE_SECRET_KEY,
      STRIPE_WEBHOOK_SECRET,
      CREDIT_PRICE: '0.0001',
      CREDIT_CURRENCY: 'EUR',
      CREDIT_PACKAGES: '500, 100,500',
    });
    expect(payments).toMatchObject({
      creditPrice: '0.0001',
      creditCurrency: 'eur',
      creditPackages: [100, 500],
    });
    for (const wrong of ['0', '-1', '1,5', 'free'])
      expect(problemsOf({ CREDIT_PRICE: wrong })).toHaveLength(1);
    for (const wrong of ['euro', 'kwd']) expect(problemsOf({ CREDIT_CURRENCY: wrong })).toHaveLength(1);
    for (const wrong of ['0', '1.5', 'all']) expect(problemsOf({ CREDIT_PACKAGES: wrong })).toHaveLength(1);
  });

  it('accepts the settings of OpenID Connect together only, and http: on loopback only', () => {
    const others = {
      OIDC_CLIENT_ID: 'console',
      OIDC_CLIENT_SECRET: 'secret-1234',
      OIDC_ALLOWED_DOMAINS: 'Example.org',
    };
    const issuer = (OIDC_ISSUER: string) => ({ ...others, OIDC_ISSUER });
    expect(problemsOf(others)).toEqual([
      'OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_ALLOWED_DOMAINS go together',
    ]);
    expect(problemsOf({ ...issuer('https://id.example.org'), OIDC_ALLOWED_DOMAINS: '' })).toHaveLength(1);
    expect(problemsOf(issuer('http://id.example.org'))).toEqual([
      'OIDC_ISSUER must be an https: URL, unless it is on loopback',
    ]);
    expect(problemsOf({ ...issuer('https://id.example.org'), OIDC_ALLOWED_DOMAINS: '*' })).toHaveLength(1);
    for (const right of ['https://id.example.org', 'http://127.0.0.1:8080'])
      expect(loadConfig(issuer(right)).oidc.allowedDomains).toEqual(['example.org']);
  });

  it.each([
    ['DATABASE_URL', ' postgres://db/zephyr', /must not begin or end with a space/],
    ['DATABASE_URL', 'postgres://u:p@db/zephyr ', /must not begin or end with a space/],
    ['DATABASE_URL', 'postgres://u:p%rd@db/zephyr', /percent-encoded/],
    ['DATABASE_URL', 'postgres://u:p#rd@db/zephyr', /percent-encoded/],
    ['DATABASE_URL', 'postgres://u:p@db:99999/zephyr', /valid URL/],
    ['DATABASE_URL', 'mysql://u:p@db/zephyr', /starting with postgres:\/\/ or postgresql:\/\//],
    ['DATABASE_URL', 'postgres://u:p@db/zephyr?sslmode=sometimes', /sslmode that is none of disable/],
    ['DATABASE_URL', 'postgres://u:p@db/zephyr?sslmod=require', /none of ssl, sslmode, sslrootcert/],
    ['REDIS_URL', 'redis://:p%zz@cache:6379', /percent-encoded/],
    ['REDIS_URL', 'redis://cache:6379/zephyr', /number of a database/],
    ['HOST', '[::1]', /without brackets/],
    ['HEALTH_HOST', '[::1]', /without brackets/],
  ])('%s=%j has a problem that names it and repeats no secret', (name, value, message) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} `));
    expect(problems[0]).toMatch(message);
    expect(problems[0]).not.toContain('rd@');
  });

  it('accepts URLs with encoded passwords, options of TLS and a database', () => {
    const DATABASE_URL =
      'postgres://u:p%40ss%2F@[::1]:5432/zephyr?sslmode=verify-full&sslrootcert=/etc/ca.crt';
    const REDIS_URL = 'rediss://:p%23@cache:6379/3';
    const { database, queue, api } = loadConfig({ DATABASE_URL, REDIS_URL, HOST: '::1' });
    expect([database.url, queue.redisUrl, api.host]).toEqual([DATABASE_URL, REDIS_URL, '::1']);
    for (const url of ['redis://cache', 'redis://cache/']) expect(problemsOf({ REDIS_URL: url })).toEqual([]);
    for (const option of ['ssl=true', 'sslmode=prefer', 'sslnegotiation=direct'])
      expect(problemsOf({ DATABASE_URL: `postgres://u:p@db/zephyr?${option}` })).toEqual([]);
  });

  it('treats an empty variable as unset', () => {
    expect(loadConfig({ REDIS_URL: '', PORT: '' }).queue.redisUrl).toBeUndefined();
  });

  it('reports every invalid variable at once', () => {
    const problems = problemsOf({ PORT: '70000', LOG_LEVEL: 'loud', MAX_UPLOAD_BYTES: 'much' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'LOG_LEVEL',
      'PORT',
      'MAX_UPLOAD_BYTES',
    ]);
  });

  it('lists the allowed values of an enumerated setting', () => {
    expect(problemsOf({ LOG_LEVEL: 'INFO' })).toEqual([
      expect.stringMatching(/^LOG_LEVEL must be one of .*info.*, not "INFO"$/),
    ]);
    expect(problemsOf({ LOG_PRETTY: 'yes' })).toEqual(['LOG_PRETTY must be one of true, false, not "yes"']);
  });

  it('warns about names that differ from a setting by one letter, and about no others', () => {
    const env = { PROT: '1', S3_BUKET: 'x', PORTS: '2', PATH: '/bin', HOME: '/', HOSTNAME: 'a', PORT: '3' };
    expect(listVariableNameWarnings(env)).toEqual([
      'PROT is not a setting; did you mean PORT?',
      'S3_BUKET is not a setting; did you mean S3_BUCKET?',
      'PORTS is not a setting; did you mean PORT?',
    ]);
    expect(listVariableNameWarnings({ S3_BUKET: 'hunter2' }).join()).not.toContain('hunter2');
  });

  it.each([
    ['SLOW_READER_TIMEOUT_SECONDS', 'UNREAD_SECONDS'],
    ['MAX_CONCURRENT_UPLOADS', 'BODY_POOL_SIZE'],
    ['MAX_CONCURRENT_UPLOADS_PER_ACCOUNT', 'BODY_POOL_PER_ACCOUNT'],
    ['MAX_CONCURRENT_JSON_BYTES', 'JSON_POOL_BYTES'],
    ['MAX_CONCURRENT_STREAMS', 'STREAM_POOL_SIZE'],
    ['MAX_CONCURRENT_STREAMS_PER_ACCOUNT', 'STREAM_POOL_PER_KEY'],
    ['MAX_AUDIO_BODY_BYTES', 'MAX_STREAM_BYTES'],
    ['STREAM_QUEUE_SIZE', 'STREAM_POOL_WAITING'],
    ['STORE_SCAN_SECONDS', 'ORPHAN_SWEEP_SECONDS'],
    ['UNNEEDED_AUDIO_SECONDS', 'ORPHAN_AGE_SECONDS'],
  ])('still reads %s under its former name %s, with a warning', (name, formerName) => {
    expect(loadConfig({ [formerName]: '7' })).toEqual(loadConfig({ [name]: '7' }));
    expect(loadConfig({ [formerName]: '7' })).not.toEqual(loadConfig({}));
    expect(listVariableNameWarnings({ [formerName]: '7' })).toEqual([
      `${formerName} is called ${name} now: rename it`,
    ]);
  });

  it('reads the newest of several former names, and warns about each', () => {
    const env = { STREAM_POOL_PER_ACCOUNT: '7', STREAM_POOL_PER_KEY: '8' };
    expect(loadConfig(env).streams.maxConcurrentPerAccount).toBe(7);
    expect(
      loadConfig({ ...env, MAX_CONCURRENT_STREAMS_PER_ACCOUNT: '6' }).streams.maxConcurrentPerAccount,
    ).toBe(6);
    expect(listVariableNameWarnings(env)).toEqual([
      'STREAM_POOL_PER_ACCOUNT is called MAX_CONCURRENT_STREAMS_PER_ACCOUNT now: rename it',
      'STREAM_POOL_PER_KEY is called MAX_CONCURRENT_STREAMS_PER_ACCOUNT now, and is not read beside STREAM_POOL_PER_ACCOUNT: rename it',
    ]);
  });

  it('does not print secret values in errors', () => {
    expect(problemsOf({ DATABASE_URL: 'mysql://u:hunter2@h/d' }).join()).not.toContain('hunter2');
    expect(problemsOf({ OPENAI_API_KEY: 'hunter2\nX-Other: 1' }).join()).toMatch(
      /^OPENAI_API_KEY (?!.*hunter2)/,
    );
  });

  it('rejects settings that contradict each other', () => {
    expect(problemsOf({ S3_ENDPOINT: 'http://localhost:1' })).toEqual(['S3_ENDPOINT needs S3_BUCKET']);
    const aws = {
      S3_ACCESS_KEY_ID: 'a',
      S3_SECRET_ACCESS_KEY: 'b',
      S3_REGION: 'eu-west-1',
      S3_FORCE_PATH_STYLE: 'false',
    };
    expect(problemsOf({ ...aws, S3_BUCKET_NAME: 'audio', S3_BUCKET: '' })).toEqual([
      'S3_REGION needs S3_BUCKET',
      'S3_FORCE_PATH_STYLE needs S3_BUCKET',
    ]);
    expect(problemsOf({ ...aws, S3_BUCKET: 'audio' })).toEqual([]);
    expect(problemsOf({ S3_REGION: '', S3_FORCE_PATH_STYLE: '' })).toEqual([]);
    expect(problemsOf({ CHUNK_SECONDS: '90' })).toHaveLength(1);
    expect(problemsOf({ AUDIO_FETCH_SECONDS: '80000' })).toEqual([
      'AUDIO_FETCH_SECONDS (80000) must be below STAGE_TIMEOUT_SECONDS (7200), which includes it',
    ]);
    expect(problemsOf({ AUDIO_FETCH_SECONDS: '80000', STAGE_TIMEOUT_SECONDS: '86400' })).toEqual([]);
    expect(problemsOf({ ENGINE: 'openai' })).toEqual(['ENGINE=openai needs OPENAI_BASE_URL']);
    expect(problemsOf({ ENGINE: 'openai', OPENAI_BASE_URL: 'http://gpu:8000/v1' })).toEqual([]);
  });

  it('parses the form fields of the remote server, and never repeats their values', () => {
    const { speech } = loadConfig({
      OPENAI_FORM_FIELDS: 'language=auto, include[]=a\\,b,include[]=c=d,vad_config.enabled=true',
      OPENAI_VOCABULARY_FIELDS: 'prompt,hotwords',
    });
    expect(speech.openaiFormFields).toEqual([
      ['language', 'auto'],
      ['include[]', 'a,b'],
      ['include[]', 'c=d'],
      ['vad_config.enabled', 'true'],
    ]);
    expect(speech.openaiVocabularyFields).toEqual(['prompt', 'hotwords']);
    expect(loadConfig({}).speech).toMatchObject({
      openaiFormFields: [],
      openaiVocabularyFields: ['prompt'],
      openaiAudioFormat: 'auto',
    });
    expect(problemsOf({ OPENAI_FORM_FIELDS: 'hunter2' })).toEqual([
      'OPENAI_FORM_FIELDS must be form fields such as language=auto,vad_filter=true',
    ]);
    expect(problemsOf({ OPENAI_FORM_FIELDS: 'model=hunter2' })).toEqual([
      'OPENAI_FORM_FIELDS must not have the field model, which the service sets',
    ]);
    expect(problemsOf({ OPENAI_VOCABULARY_FIELDS: 'hotword' })[0]).toContain(
      'must be one of prompt, hotwords',
    );
    expect(problemsOf({ OPENAI_AUDIO_FORMAT: 'mp3' })[0]).toContain('must be one of auto, flac, wav');
  });

  it('puts the models folder into DATA_DIR by default', () => {
    expect(resolveModelsFolder(loadConfig({ DATA_DIR: '/srv/zephyr' }))).toBe(join('/srv/zephyr', 'models'));
    expect(resolveModelsFolder(loadConfig({ DATA_DIR: '/srv/zephyr', MODELS_DIR: 'here' }))).toBe(
      resolve('here'),
    );
  });

  it('puts the work folder into DATA_DIR by default', () => {
    expect(resolveWorkFolder(loadConfig({ DATA_DIR: '/srv/zephyr' }))).toBe(join('/srv/zephyr', 'work'));
    expect(resolveWorkFolder(loadConfig({ WORK_DIR: 'here' }))).toBe(resolve('here'));
  });

  it.each([
    ['512', 512],
    ['16MiB', 16 * 2 ** 20],
    ['200MB', 200e6],
  ])('parses the size %s', (text, expected) => {
    expect(loadConfig({ MAX_AUDIO_BODY_BYTES: text }).limits.audioBodyBytes).toBe(expected);
  });
});
