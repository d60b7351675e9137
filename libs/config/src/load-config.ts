import { join, resolve } from 'node:path';
import { findNearestName } from '@app/errors';
import type { z } from 'zod';
import { type Config, CONFIG_SCHEMA } from './config-schema.js';
import { findOpenaiBaseUrlProblems } from './find-openai-base-url-problems.js';
import { isLoopbackHost } from './is-loopback-host.js';
import type { ConfigSection, EnvVariableDeclaration } from './variable.js';

/** `problems` has one line per variable. */
export class InvalidConfigError extends Error {
  override readonly name = 'InvalidConfigError';
  constructor(readonly problems: string[]) {
    super(`Configuration: ${problems.join('; ')}`);
  }
}

/**
 * Validates and freezes the options. An empty variable counts as unset.
 * @throws InvalidConfigError naming every invalid variable, without the values of secrets
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const sections = Object.entries(CONFIG_SCHEMA).map(([name, section]) => [
    name,
    loadSection(section, env, problems),
  ]);
  const config = Object.fromEntries(sections) as Config;
  if (problems.length === 0)
    problems.push(...findContradictions(config), ...findSettingsWithoutBucket(config, env));
  if (problems.length > 0) throw new InvalidConfigError(problems);
  return deepFreeze(withAbsoluteFolders(config));
}

/** A URL such as `http://user:password@host`, perhaps without `http://`. */
const MAY_CONTAIN_PASSWORD = /:.*@/;

function loadSection(
  section: ConfigSection,
  env: NodeJS.ProcessEnv,
  problems: string[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries(section)) {
    const { schema, secret } = variable;
    const { name, raw } = readRawValue(variable, env);
    const parsed = schema.safeParse(raw);
    if (parsed.success) values[key] = parsed.data;
    else {
      const isHidden = secret || MAY_CONTAIN_PASSWORD.test(raw ?? '');
      const shown = isHidden ? '' : `, not ${JSON.stringify(raw)}`;
      problems.push(`${name} ${issueMessage(parsed.error.issues[0])}${shown}`);
    }
  }
  return values;
}

function issueMessage(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_value' && issue.values.length > 1)
    return `must be one of ${issue.values.map(String).join(', ')}`;
  return issue?.message ?? 'is wrong';
}

/** @returns the value, and the name under which it is set; an empty value counts as unset */
function readRawValue(
  { name, formerNames }: EnvVariableDeclaration,
  env: NodeJS.ProcessEnv,
): { name: string; raw?: string } {
  const used = [name, ...formerNames].find((each) => hasValue(each, env));
  return used === undefined ? { name } : { name: used, raw: env[used] };
}

function hasValue(name: string, env: NodeJS.ProcessEnv): boolean {
  return env[name] !== undefined && env[name] !== '';
}

/** Mistakes that do not prevent the start; one line each, without values. */
export function listVariableNameWarnings(env: NodeJS.ProcessEnv = process.env): string[] {
  const variables = Object.values(CONFIG_SCHEMA).flatMap((section: ConfigSection) => Object.values(section));
  return [
    ...variables.flatMap((each) => formerNameWarnings(each, env)),
    ...misspellingWarnings(variables, env),
  ];
}

function formerNameWarnings({ name, formerNames }: EnvVariableDeclaration, env: NodeJS.ProcessEnv): string[] {
  const [used, ...unused] = [name, ...formerNames].filter((each) => hasValue(each, env));
  if (used === undefined) return [];
  return [
    ...(used === name ? [] : [`${used} is called ${name} now: rename it`]),
    ...unused.map((each) => `${each} is called ${name} now, and is not read beside ${used}: rename it`),
  ];
}

/** Other programs use the environment too: a name with more edits is taken for one of theirs. */
const MAX_EDITS = 1;

function misspellingWarnings(variables: readonly EnvVariableDeclaration[], env: NodeJS.ProcessEnv): string[] {
  const known = variables.flatMap(({ name, formerNames }) => [name, ...formerNames]);
  return Object.keys(env).flatMap((name) => {
    const suggestion = known.includes(name) ? undefined : findNearestName(name, known, () => MAX_EDITS);
    return suggestion === undefined ? [] : [`${name} is not a setting; did you mean ${suggestion}?`];
  });
}

function findContradictions({ api, storage, pipeline, speech, outbound, payments, oidc }: Config): string[] {
  const found: string[] = [];
  if ((storage.s3AccessKeyId === undefined) !== (storage.s3SecretAccessKey === undefined))
    found.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together');
  if (storage.s3Endpoint !== undefined && storage.s3Bucket === undefined)
    found.push('S3_ENDPOINT needs S3_BUCKET');
  if (pipeline.chunkMaxSeconds < pipeline.chunkSeconds)
    found.push('CHUNK_MAX_SECONDS must not be below CHUNK_SECONDS');
  if (outbound.audioFetchSeconds >= pipeline.stageTimeoutSeconds)
    found.push(
      `AUDIO_FETCH_SECONDS (${outbound.audioFetchSeconds}) must be below STAGE_TIMEOUT_SECONDS (${pipeline.stageTimeoutSeconds}), which includes it`,
    );
  if (api.publicUrl !== undefined && !isBaseUrl(api.publicUrl))
    found.push('PUBLIC_URL must be a URL without user, password, query and fragment');
  if (api.healthPort === api.port) found.push('HEALTH_PORT must not be the same as PORT');
  if (speech.engine === 'openai' && speech.openaiBaseUrl === undefined)
    found.push('ENGINE=openai needs OPENAI_BASE_URL');
  if (speech.openaiBaseUrl !== undefined) found.push(...findOpenaiBaseUrlProblems(speech.openaiBaseUrl));
  const stripe = [payments.stripeSecretKey, payments.stripeWebhookSecret];
  if (stripe.some((value) => value === undefined) && stripe.some((value) => value !== undefined))
    found.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET go together');
  if (payments.stripeSecretKey !== undefined && payments.creditPrice === undefined)
    found.push('STRIPE_SECRET_KEY needs CREDIT_PRICE');
  found.push(...findOidcContradictions(oidc));
  return found;
}

/**
 * These are set for a bucket only: without one, as when its name is misspelt, audio would go into files. The keys and the
 * public endpoint may be in the settings of one container, which share a file with those of several (`deploy/compose`).
 */
function findSettingsWithoutBucket({ storage }: Config, env: NodeJS.ProcessEnv): string[] {
  if (storage.s3Bucket !== undefined) return [];
  const { s3Region, s3ForcePathStyle } = CONFIG_SCHEMA.storage;
  return [s3Region, s3ForcePathStyle]
    .filter(({ name }) => hasValue(name, env))
    .map(({ name }) => `${name} needs S3_BUCKET`);
}

function findOidcContradictions({
  issuer,
  clientId,
  clientSecret,
  allowedDomains,
}: Config['oidc']): string[] {
  const isSet = [issuer, clientId, clientSecret, allowedDomains[0]].map((value) => value !== undefined);
  if (!isSet.includes(true)) return [];
  if (isSet.includes(false))
    return ['OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and OIDC_ALLOWED_DOMAINS go together'];
  const { protocol, hostname } = new URL(issuer ?? '');
  return protocol === 'https:' || isLoopbackHost(hostname)
    ? []
    : ['OIDC_ISSUER must be an https: URL, unless it is on loopback'];
}

/** Validated here, because an invalid URL may contain a password and must not be repeated in an error. */
function isBaseUrl(text: string): boolean {
  const { username, password } = new URL(text);
  return username === '' && password === '' && !/[?#]/.test(text);
}

/** Loopback, or the wildcard of all addresses. */
const OWN_MACHINE_HOST = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|::1?|\[::1?\])$/;

/** Programs may be started in different directories. */
function withAbsoluteFolders(config: Config): Config {
  const { service, speech } = config;
  return {
    ...config,
    service: {
      ...service,
      dataDir: resolve(service.dataDir),
      ...(service.workDir !== undefined && { workDir: resolve(service.workDir) }),
    },
    speech: {
      ...speech,
      ...(speech.modelsDir !== undefined && { modelsDir: resolve(speech.modelsDir) }),
      ...(speech.modelsCatalogue !== undefined && { modelsCatalogue: resolve(speech.modelsCatalogue) }),
    },
  };
}

/** Absolute path. */
export function resolveModelsFolder({ service, speech }: Pick<Config, 'service' | 'speech'>): string {
  return speech.modelsDir ?? join(service.dataDir, 'models');
}

/**
 * Required by default if `HOST` or `PUBLIC_URL` names another machine than the own one. A wildcard `HOST` names none: in
 * containers it is the only choice, and the published port decides who gets in. Operators who serve others in
 * this way without `PUBLIC_URL` set `REQUIRE_TWO_FACTORS`.
 */
export function resolveRequireTwoFactors({ sessions, api }: Pick<Config, 'sessions' | 'api'>): boolean {
  if (sessions.requireTwoFactors !== undefined) return sessions.requireTwoFactors;
  const hosts = [api.host, ...(api.publicUrl === undefined ? [] : [new URL(api.publicUrl).hostname])];
  return !hosts.every((host) => OWN_MACHINE_HOST.test(host));
}

/** The sandbox is required by default where strangers can send files. */
export function resolveMediaSandboxMode({
  speech,
  api,
}: Pick<Config, 'speech' | 'api'>): 'require' | 'prefer' {
  if (speech.mediaSandbox !== undefined) return speech.mediaSandbox;
  const hosts = [api.host, ...(api.publicUrl === undefined ? [] : [new URL(api.publicUrl).hostname])];
  return hosts.every((host) => isLoopbackHost(host) || host === '::1') ? 'prefer' : 'require';
}

/** What the choice of the engine depends on. */
export function resolveEngineChoiceSettings(config: Pick<Config, 'service' | 'speech' | 'pipeline'>) {
  return {
    ...config.speech,
    modelsDir: resolveModelsFolder(config),
    chunkConcurrency: config.pipeline.chunkConcurrency,
  };
}

/** Absolute path. */
export function resolveWorkFolder({ service }: Pick<Config, 'service'>): string {
  return service.workDir ?? join(service.dataDir, 'work');
}

export interface DevelopmentAccountFilePaths {
  /** API key of the development account. */
  keyFile: string;
  /** Link that signs its owner in once. */
  linkFile: string;
}

/** Absolute paths; undefined without the development account. */
export function resolveDevelopmentAccountFilePaths({
  service,
  database,
  api,
}: Pick<Config, 'service' | 'database' | 'api'>): DevelopmentAccountFilePaths | undefined {
  const isLocalInstallation = database.url === undefined && api.publicUrl === undefined;
  return (service.developmentAccount ?? isLocalInstallation)
    ? { keyFile: join(service.dataDir, 'dev-api-key'), linkFile: join(service.dataDir, 'dev-sign-in-link') }
    : undefined;
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
