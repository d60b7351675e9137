import ipaddr from 'ipaddr.js';
import { type IpAddress, parseIpAddress } from './public-address.js';

/** Of `::ffff:0:0/96`. */
const MAPPED_PREFIX_BITS = 96;

/** Addresses, CIDRs and host names that the operator permits or refuses. */
export class HostMatcher {
  private readonly networks: [IpAddress, number][] = [];
  private readonly names = new Set<string>();

  /** @throws Error for an invalid CIDR */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const address = parseIpAddress(entry);
      if (entry.includes('/')) this.networks.push(parseNetwork(entry));
      else if (address) this.networks.push([address, address.kind() === 'ipv4' ? 32 : 128]);
      else this.names.add(entry.toLowerCase());
    }
  }

  get isEmpty(): boolean {
    return this.networks.length === 0 && this.names.size === 0;
  }

  hasAddress(address: IpAddress): boolean {
    return this.networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  }

  hasHostName(name: string): boolean {
    return this.names.has(name);
  }
}

/** An IPv4-mapped one is an IPv4 network, as addresses are compared as IPv4 addresses. */
function parseNetwork(cidr: string): [IpAddress, number] {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  if (!(network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress())) return [network, bits];
  if (bits < MAPPED_PREFIX_BITS) throw new Error(`${cidr} is no IPv4 network.`);
  return [network.toIPv4Address(), bits - MAPPED_PREFIX_BITS];
}
