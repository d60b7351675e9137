import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Everything that is handed out for the public internet; the rest of the space is special or not yet assigned. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** Behind it a translator reaches the IPv4 address in the last 32 bits. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * An address from its usual spelling, IPv4 inside IPv6 (`::ffff:10.0.0.1`) as IPv4.
 * @returns undefined for anything else, zone ids included: a zone is a place on this very machine's links.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** True for public unicast; for NAT64 the address behind the translator decides. */
export function isPublicAddress(address: IpAddress): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  if (address.match(NAT64)) return isPublicAddress(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}
