import { SsrfBlockedError, NOT_PUBLIC_MESSAGE } from './ssrf-blocked-error.js';
import { type IpAddress, parseIpAddress } from './public-address.js';

/** Where a request would go: an address that the URL spells out, or a name yet to be resolved (lower case, no dot at the end). */
export type RequestTarget = { kind: 'address'; address: IpAddress } | { kind: 'name'; name: string };

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * The URL, if it is one that may be requested at all: http(s), no credentials in it.
 * URL parsing already turns every spelling of an IPv4 address (decimal, hex, octal, short, full-width) into the usual one.
 * @throws SsrfBlockedError
 */
export function parseHttpUrl(text: string): URL {
  if (!URL.canParse(text)) throw new SsrfBlockedError('must be an http or https address');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new SsrfBlockedError('must be an http or https address');
  if (url.username !== '' || url.password !== '')
    throw new SsrfBlockedError('must not contain a user name or password');
  return url;
}

/**
 * @param hostname as a parsed URL has it, IPv6 with or without brackets
 * @throws SsrfBlockedError when it is neither an address nor a well-formed name
 */
export function parseRequestTarget(hostname: string): RequestTarget {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  const address = parseIpAddress(bare);
  if (address) return { kind: 'address', address };
  const name = bare.toLowerCase().replace(/\.$/, '');
  if (name.length > 253 || !name.split('.').every((label) => LABEL.test(label)))
    throw new SsrfBlockedError(NOT_PUBLIC_MESSAGE);
  return { kind: 'name', name };
}

/** Top-level names that are reserved for one machine or one network. */
const LOCAL_SUFFIX = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/**
 * Whether the text alone says that it is no name of the public DNS: an address, a reserved name, a single label. Nothing is
 * looked up, so the answer tells nothing of which names exist.
 */
export function isLocalHostname(hostname: string): boolean {
  const bare = hostname
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase()
    .replace(/\.$/, '');
  return (
    bare.includes(':') || parseIpAddress(bare) !== undefined || !bare.includes('.') || LOCAL_SUFFIX.test(bare)
  );
}
