import ipaddr from 'ipaddr.js';
import { type Address, parseAddress } from './public-address.js';

/** What the operator admits although it is not public: addresses, CIDRs, host names. */
export class AllowList {
  private readonly networks: [Address, number][] = [];
  private readonly names = new Set<string>();

  /** @throws Error for an entry that looks like a network and is none. */
  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const address = parseAddress(entry);
      if (entry.includes('/')) this.networks.push(ipaddr.parseCIDR(entry));
      else if (address) this.networks.push([address, address.kind() === 'ipv4' ? 32 : 128]);
      else this.names.add(entry.toLowerCase());
    }
  }

  get isEmpty(): boolean {
    return this.networks.length === 0 && this.names.size === 0;
  }

  admitsAddress(address: Address): boolean {
    return this.networks.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  }

  /** A name that is admitted may lead anywhere. */
  admitsName(name: string): boolean {
    return this.names.has(name);
  }
}
