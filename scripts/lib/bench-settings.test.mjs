import { expect, it } from 'vitest';
import { CONFIG_SCHEMA } from '../../libs/config/src/config-schema.js';
import { removeSettingsOfInstallation } from './bench-settings.mjs';

const OF_INSTALLATION = {
  DATABASE_URL: 'postgres://production',
  REDIS_URL: 'redis://production',
  REDIS_PREFIX: 'zephyr',
  S3_BUCKET: 'recordings',
  S3_SECRET_ACCESS_KEY: 'secret',
  SERVICE_SECRET: 'secret',
  ENCRYPTION_KEYS: 'secret',
  PUBLIC_URL: 'https://speech.example',
  SMTP_URL: 'smtp://mail.example',
  STRIPE_SECRET_KEY: 'sk_live',
  OIDC_ISSUER: 'https://id.example',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example',
  HEALTH_PORT: '3100',
};
const KEPT = {
  PATH: '/usr/bin',
  ENGINE: 'sherpa',
  OPENAI_BASE_URL: 'http://127.0.0.1:8000/v1',
  CHUNK_SECONDS: '30',
};

it('a measurement gets the settings of engines and the pipeline, not those of an installation', () => {
  const env = { ...OF_INSTALLATION, ...KEPT };
  removeSettingsOfInstallation(env, CONFIG_SCHEMA);
  expect(env).toEqual(KEPT);
});

it('a measurement does not get settings by an earlier name', () => {
  const env = { OLD_URL: 'postgres://production' };
  removeSettingsOfInstallation(env, { database: { url: { name: 'NEW_URL', formerNames: ['OLD_URL'] } } });
  expect(env).toEqual({});
});
