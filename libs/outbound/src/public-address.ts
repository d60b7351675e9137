import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Other ranges are special or unassigned. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** A translator forwards to the IPv4 address in the last 32 bits. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

/** Translators of an operator (RFC 8215). */
const LOCAL_NAT64 = ipaddr.parseCIDR('64:ff9b:1::/48');
/** Where their prefixes of 48, 56, 64 and 96 bits place the IPv4 address (RFC 6052); the bytes behind it are zero. */
const LOCAL_NAT64_LAYOUTS = [
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
  [12, 13, 14, 15],
] as const;
const SIX_TO_FOUR = ipaddr.parseCIDR('2002::/16');

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Converts IPv4-mapped IPv6 (`::ffff:10.0.0.1`) to IPv4.
 * @returns undefined for anything else, including zone ids, which name an interface of this machine
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** Answers only machines in Azure, with their settings and secrets. */
const AZURE_HOST = '168.63.129.16';

/**
 * The IPv4 addresses to which a translator or a 6to4 relay may forward what is sent to the address. Several, because the
 * prefix of a local translator is not known.
 */
export function listEmbeddedIpv4Addresses(address: IpAddress): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  if (address.match(NAT64)) return [new ipaddr.IPv4(bytes.slice(12))];
  if (address.match(SIX_TO_FOUR)) return [new ipaddr.IPv4(bytes.slice(2, 6))];
  if (!address.match(LOCAL_NAT64)) return [];
  return LOCAL_NAT64_LAYOUTS.filter((layout) => bytes.slice(layout[3] + 1).every((byte) => byte === 0))
    .map((layout) => new ipaddr.IPv4(layout.map((index) => bytes[index] ?? 0)))
    .filter((embedded) => embedded.toString() !== '0.0.0.0');
}

/** For NAT64, the translated IPv4 address decides. */
export function isPublicAddress(address: IpAddress): boolean {
  if (address instanceof ipaddr.IPv4)
    return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
  if (address.match(NAT64)) return isPublicAddress(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}
