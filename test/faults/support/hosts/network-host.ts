import type { TestHost } from '../../../support/test-host.js';
import type { NetworkNamespace } from './namespace.js';

/** The name of the only link of a host, beside loopback. */
export const LINK = 'eth0';

/** A host of a test network, with a TCP stack of its own. */
export class NetworkHost implements TestHost {
  constructor(
    readonly name: string,
    readonly address: string,
    readonly namespace: NetworkNamespace,
  ) {}

  get enter(): readonly string[] {
    return this.namespace.enter;
  }

  /** Adds an address, as a service that moves it between hosts does: the others learn at once who has it now. */
  async takeAddress(address: string): Promise<void> {
    const { namespace } = this;
    await namespace.run('ip', 'address', 'add', `${address}/24`, 'dev', LINK);
    // The kernel announces all addresses (gratuitous ARP) when the hardware address is set, also to the same value.
    await namespace.run('sysctl', '-q', '-w', `net.ipv4.conf.${LINK}.arp_notify=1`);
    const [link] = JSON.parse(await namespace.run('ip', '-json', 'link', 'show', LINK)) as {
      address: string;
    }[];
    await namespace.run('ip', 'link', 'set', 'dev', LINK, 'address', link?.address ?? '');
  }
}
