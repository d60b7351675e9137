import { z } from 'zod';
import {
  createBooleanSchema,
  createCommaSeparatedListSchema,
  declareSecretEnvVariable,
  createUrlSchema,
  declareEnvVariable,
} from '../variable.js';

const DOMAIN_PATTERN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** For the console. */
export const mailEnvVariables = {
  smtpUrl: declareSecretEnvVariable(
    'SMTP_URL',
    createUrlSchema('smtp:', 'smtps:').optional(),
    'Mail server that sends invitations, links to set a forgotten password, and notices of low balances and payments to confirm: `smtp://user:password@host:587`, or `smtps:` for TLS from the start. Unset: the console shows links to copy, and operators make links with `users link`.',
  ),
  from: declareEnvVariable(
    'MAIL_FROM',
    z
      .string()
      .regex(/^[^\r\n]{1,200}$/, 'must be a mail address, with or without a name')
      .optional(),
    'Sender of mails, such as `Speech <speech@example.com>`. Default: `zephyr@` and the host of `PUBLIC_URL`.',
  ),
};

/** Sign-in to the console through an OpenID Connect provider. */
export const oidcEnvVariables = {
  issuer: declareEnvVariable(
    'OIDC_ISSUER',
    createUrlSchema('https:', 'http:').optional(),
    'Issuer of an OpenID Connect provider through which people can sign in to the console; `http:` on loopback only. Its redirect URL is `PUBLIC_URL/console/api/sign-in/oidc/callback`. Needs the other three settings.',
  ),
  clientId: declareEnvVariable('OIDC_CLIENT_ID', z.string().min(1).optional(), 'Client id at the provider.'),
  clientSecret: declareSecretEnvVariable(
    'OIDC_CLIENT_SECRET',
    z.string().min(1).optional(),
    'Client secret at the provider.',
  ),
  alwaysTwoFactors: declareEnvVariable(
    'OIDC_TWO_FACTORS',
    createBooleanSchema().default(false),
    'Whether the provider requires two factors of everybody, so that a sign-in through it is enough where two factors are required. Otherwise only a sign-in whose ID token says so is (`amr` with `mfa`).',
  ),
  allowedDomains: declareEnvVariable(
    'OIDC_ALLOWED_DOMAINS',
    createCommaSeparatedListSchema()
      .transform((domains) => domains.map((domain) => domain.toLowerCase()))
      .refine(
        (domains) => domains.every((domain) => DOMAIN_PATTERN.test(domain)),
        'must be domains such as example.com, comma-separated',
      )
      .default([]),
    'Domains whose verified mail addresses may sign in, comma-separated. Subdomains are domains of their own. Users who are unknown need an invitation.',
  ),
};
