import { z } from 'zod';
import { createBooleanSchema, createIntegerSchema, declareEnvVariable } from '../variable.js';

export const sessionAndSignInEnvVariables = {
  lifetimeSeconds: declareEnvVariable(
    'SESSION_SECONDS',
    createIntegerSchema(300, 31_536_000).default(14 * 24 * 3600),
    'Seconds after which a sign-in to the console ends, however active it is.',
  ),
  idleSeconds: declareEnvVariable(
    'SESSION_IDLE_SECONDS',
    createIntegerSchema(300, 31_536_000).default(12 * 3600),
    'Seconds without a request after which a sign-in to the console ends.',
  ),
  attemptsPerAddress: declareEnvVariable(
    'SIGN_IN_ATTEMPTS_PER_ADDRESS',
    createIntegerSchema(1, 1_000_000).default(30),
    'Attempts to sign in to the console that one IP address may make in a minute. For one user it is always 10.',
  ),
  requireTwoFactors: declareEnvVariable(
    'REQUIRE_TWO_FACTORS',
    createBooleanSchema().optional(),
    'Whether everybody needs two factors to use the console: a passkey, a code of an authenticator app after the password, or a provider that asks for two. `false`: each account decides. Default: `true` if `HOST` or `PUBLIC_URL` names another host than loopback. `0.0.0.0` and `::` do not count as another host: if other machines reach the console without `PUBLIC_URL`, set `true`.',
  ),
  breachedPasswordsFile: declareEnvVariable(
    'BREACHED_PASSWORDS_FILE',
    z.string().min(1).optional(),
    'File of SHA-1 hashes of breached passwords, one a line as `HASH:COUNT` or `HASH`, sorted by hash. The console accepts none of them as a new password. Searched on disk, without the network ([how to get it](operating/breached-passwords.md)). Unset: passwords are not compared.',
  ),
};
