import { apiEnvVariables, eventStreamEnvVariables } from './sections/api.js';
import {
  billingEnvVariables,
  limitAndLifetimeEnvVariables,
  pipelineEnvVariables,
  quotaEnvVariables,
} from './sections/jobs.js';
import { outboundEnvVariables } from './sections/outbound.js';
import { databaseEnvVariables, queueEnvVariables, storageEnvVariables } from './sections/dependencies.js';
import { paymentEnvVariables } from './sections/payments.js';
import { serviceEnvVariables } from './sections/service.js';
import { sessionAndSignInEnvVariables } from './sections/sessions.js';
import { mailEnvVariables, oidcEnvVariables } from './sections/mail-and-oidc.js';
import { speechEnvVariables } from './sections/speech.js';
import { openTelemetryEnvVariables } from './sections/open-telemetry.js';
import type { ConfigSection, ConfigSectionValues } from './variable.js';

/** The configuration reference is generated from this. */
export const CONFIG_SCHEMA = {
  service: serviceEnvVariables,
  api: apiEnvVariables,
  streams: eventStreamEnvVariables,
  database: databaseEnvVariables,
  queue: queueEnvVariables,
  storage: storageEnvVariables,
  limits: limitAndLifetimeEnvVariables,
  quotas: quotaEnvVariables,
  pipeline: pipelineEnvVariables,
  speech: speechEnvVariables,
  billing: billingEnvVariables,
  payments: paymentEnvVariables,
  outbound: outboundEnvVariables,
  sessions: sessionAndSignInEnvVariables,
  oidc: oidcEnvVariables,
  mail: mailEnvVariables,
  tracing: openTelemetryEnvVariables,
} satisfies Record<string, ConfigSection>;

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
  tracing: 'Traces and metrics by OTLP',
};

export type Config = {
  readonly [S in keyof typeof CONFIG_SCHEMA]: ConfigSectionValues<(typeof CONFIG_SCHEMA)[S]>;
};
