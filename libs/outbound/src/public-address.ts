import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Other ranges are special or unassigned. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** A translator forwards to the IPv4 address in the last 32 bits. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');

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

/** For NAT64, the translated IPv4 address decides. */
export function isPublicAddress(address: IpAddress): boolean {
  if (address instanceof ipaddr.IPv4)
    return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
  if (address.match(NAT64)) return isPublicAddress(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}
