import { SsrfBlockedError, NOT_PUBLIC_MESSAGE } from './ssrf-errors.js';
import { type IpAddress, parseIpAddress } from './public-address.js';

/** A name is in lower case without a trailing dot. */
export type TargetHost = { kind: 'address'; address: IpAddress } | { kind: 'name'; name: string };

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * URL parsing normalizes all notations of an IPv4 address (decimal, hex, octal, short, full-width).
 * @throws SsrfBlockedError unless the URL is http(s) and has no credentials
 */
export function parseHttpUrl(text: string): URL {
  if (!URL.canParse(text)) throw new SsrfBlockedError('must be an http or https URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new SsrfBlockedError('must be an http or https URL');
  if (url.username !== '' || url.password !== '')
    throw new SsrfBlockedError('must not contain a user name or password');
  return url;
}

/**
 * @param hostname of a parsed URL, IPv6 with or without brackets
 * @throws SsrfBlockedError if it is neither an address nor a well-formed name
 */
export function parseTargetHost(hostname: string): TargetHost {
  const name = normalizeHostname(hostname);
  const address = parseIpAddress(name);
  if (address) return { kind: 'address', address };
  if (name.length > 253 || !name.split('.').every((label) => LABEL.test(label)))
    throw new SsrfBlockedError(NOT_PUBLIC_MESSAGE);
  return { kind: 'name', name };
}

/** Top-level names reserved for one machine or network. */
const LOCAL_SUFFIX = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/**
 * An address, a reserved name, or a single label. Looks nothing up, so the result does not reveal which names
 * exist.
 */
export function isIpAddressOrLocalHostname(hostname: string): boolean {
  const name = normalizeHostname(hostname);
  return (
    name.includes(':') || parseIpAddress(name) !== undefined || !name.includes('.') || LOCAL_SUFFIX.test(name)
  );
}

function normalizeHostname(hostname: string): string {
  return hostname
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
    .replace(/\.$/, '');
}
