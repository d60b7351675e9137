import { createHmac } from 'node:crypto';
import type { ConsoleClient } from './console-client.js';
import { PASSWORD } from './console-users.js';

/** RFC 6238 with SHA-1, 30 seconds and six digits, independent of the library of the service. */
export function computeTotp(secret: string, at: number): string {
  let bits = '';
  for (const character of secret.replace(/=+$/, ''))
    bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** @returns the secret of the authenticator app, and the recovery codes */
export async function enableSecondFactor(
  browser: ConsoleClient,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const confirm = { current_password: PASSWORD };
  const { body } = await browser.request<{ secret: string }>('POST', 'profile/second-factor', confirm);
  const code = computeTotp(body.secret, Date.now());
  const path = 'profile/second-factor/enable';
  const enabled = await browser.request<{ recovery_codes: string[] }>('POST', path, { code });
  if (enabled.status !== 200) throw new Error(`The second factor was answered with ${enabled.status}.`);
  return { secret: body.secret, recoveryCodes: enabled.body.recovery_codes };
}
