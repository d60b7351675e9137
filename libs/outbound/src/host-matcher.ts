import ipaddr from 'ipaddr.js';
import { type IpAddress, parseIpAddress } from './public-address.js';

/** Addresses, CIDRs and host names that the operator permits or refuses. */
export class HostMatcher {
  private readonly networks: [IpAddress, number][] = [];
  private readonly names = new Set<string>();

  /** @throws Error for an invalid CIDR */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const address = parseIpAddress(entry);
      if (entry.includes('/')) this.networks.push(ipaddr.parseCIDR(entry));
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
