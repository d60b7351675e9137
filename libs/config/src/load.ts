import { join, resolve } from 'node:path';
import { type Config, SCHEMA } from './schema.js';
import type { Section } from './variable.js';

/** The environment does not describe a service that can start; `problems` has a line a variable. */
export class ConfigInvalid extends Error {
  override readonly name = 'ConfigInvalid';
  constructor(readonly problems: string[]) {
    super(`Configuration: ${problems.join('; ')}`);
  }
}

/**
 * Environment -> validated, frozen options. An empty variable counts as unset.
 * @throws ConfigInvalid naming every variable that is wrong; secret values are not repeated.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const sections = Object.entries(SCHEMA).map(([name, section]) => [
    name,
    loadSection(section, env, problems),
  ]);
  const config = Object.fromEntries(sections) as Config;
  if (problems.length === 0) problems.push(...contradictions(config));
  if (problems.length > 0) throw new ConfigInvalid(problems);
  return deepFreeze(withAbsoluteFolders(config));
}

function loadSection(section: Section, env: NodeJS.ProcessEnv, problems: string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, { name, schema, secret }] of Object.entries(section)) {
    const raw = env[name] === '' ? undefined : env[name];
    const parsed = schema.safeParse(raw);
    if (parsed.success) values[key] = parsed.data;
    else {
      const shown = secret ? '' : `, not ${JSON.stringify(raw)}`;
      problems.push(`${name} ${parsed.error.issues[0]?.message ?? 'is wrong'}${shown}`);
    }
  }
  return values;
}

function contradictions({ api, storage, pipeline, speech, outbound }: Config): string[] {
  const found: string[] = [];
  if ((storage.s3AccessKeyId === undefined) !== (storage.s3SecretAccessKey === undefined))
    found.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together');
  if (storage.s3Endpoint !== undefined && storage.s3Bucket === undefined)
    found.push('S3_ENDPOINT needs S3_BUCKET');
  if (pipeline.chunkMaxSeconds < pipeline.chunkSeconds)
    found.push('CHUNK_MAX_SECONDS must not be below CHUNK_SECONDS');
  if (outbound.audioFetchSeconds >= pipeline.stageSeconds)
    found.push(
      `AUDIO_FETCH_SECONDS (${outbound.audioFetchSeconds}) must be below STAGE_SECONDS (${pipeline.stageSeconds}), which includes it`,
    );
  if (api.publicUrl !== undefined && !isBase(api.publicUrl))
    found.push('PUBLIC_URL must be an address without user, password, query and fragment');
  if (speech.engine === 'openai' && speech.openaiBaseUrl === undefined)
    found.push('ENGINE=openai needs OPENAI_BASE_URL');
  return found;
}

/** Other addresses begin with it. Judged here, as a wrong value may hold a password, and is not repeated. */
function isBase(address: string): boolean {
  const { username, password } = new URL(address);
  return username === '' && password === '' && !/[?#]/.test(address);
}

/** Programs may be started in different folders; what they mean by a path is settled here. */
function withAbsoluteFolders(config: Config): Config {
  const { service, speech } = config;
  return {
    ...config,
    service: {
      ...service,
      dataDir: resolve(service.dataDir),
      ...(service.workDir !== undefined && { workDir: resolve(service.workDir) }),
    },
    ...(speech.modelsDir !== undefined && { speech: { ...speech, modelsDir: resolve(speech.modelsDir) } }),
  };
}

/** Absolute path of the folder of model files. */
export function modelsFolder({ service, speech }: Pick<Config, 'service' | 'speech'>): string {
  return speech.modelsDir ?? join(service.dataDir, 'models');
}

/** Absolute path of the folder in which audio is worked on. */
export function workFolder({ service }: Pick<Config, 'service'>): string {
  return service.workDir ?? join(service.dataDir, 'work');
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner);
  return Object.freeze(value);
}
