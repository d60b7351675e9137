import { api, streams } from './sections/api.js';
import { billing, limits, pipeline, quotas } from './sections/jobs.js';
import { outbound } from './sections/outbound.js';
import { database, queue, storage } from './sections/dependencies.js';
import { payments } from './sections/payments.js';
import { service } from './sections/service.js';
import { sessions } from './sections/sessions.js';
import { mail, oidc } from './sections/sign-in.js';
import { speech } from './sections/speech.js';
import { tracing } from './sections/tracing.js';
import type { Section, SectionValues } from './variable.js';

/** The configuration reference is generated from this. */
export const CONFIG_SCHEMA = {
  service,
  api,
  streams,
  database,
  queue,
  storage,
  limits,
  quotas,
  pipeline,
  speech,
  billing,
  payments,
  outbound,
  sessions,
  oidc,
  mail,
  tracing,
} satisfies Record<string, Section>;

export const SECTION_TITLES: Record<keyof typeof CONFIG_SCHEMA, string> = {
  service: 'Service',
  api: 'HTTP',
  streams: 'Event streams',
  database: 'Postgres',
  queue: 'Queues',
  storage: 'Object store',
  limits: 'Limits and lifetimes',
  quotas: 'Quotas of an account',
  pipeline: 'Pipeline',
  speech: 'Speech',
  billing: 'Credits',
  payments: 'Payments by card',
  outbound: 'Webhooks and fetched audio',
  sessions: 'Console sessions',
  oidc: 'Sign-in by OpenID Connect',
  mail: 'Mail',
  tracing: 'Tracing',
};

export type Config = { readonly [S in keyof typeof CONFIG_SCHEMA]: SectionValues<(typeof CONFIG_SCHEMA)[S]> };
