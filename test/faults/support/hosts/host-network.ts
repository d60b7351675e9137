import { networkInterfaces } from 'node:os';
import { NetworkHost, LINK } from './network-host.js';
import { NetworkNamespace, runCommand } from './namespace.js';

/** 198.18.0.0/15 is reserved for tests of networks. */
const SUBNETS = Array.from({ length: 512 }, (_, at) => `198.${18 + Math.floor(at / 256)}.${at % 256}`);
/** The last bytes of addresses. */
const CALLERS = 1;
const FIRST_HOST = 10;

/**
 * Hosts that are connected by a switch, to which this machine is connected as well. Each host is a network namespace, and so is
 * the switch, where packets can be dropped without a notice to either side.
 */
export class HostNetwork {
  private readonly hosts: NetworkHost[] = [];
  private reservedAddresses = 0;

  private constructor(
    private readonly networkSwitch: NetworkNamespace,
    private readonly subnet: string,
    /** The link of this machine to the switch. */
    private readonly callerLink: string,
  ) {}

  /** @returns the network without hosts, or the reason why it cannot be made here */
  static async create(): Promise<HostNetwork | string> {
    let networkSwitch: NetworkNamespace | undefined;
    try {
      await Promise.all([runCommand(['ip', '-V']), runCommand(['nft', '-v'])]);
      networkSwitch = await NetworkNamespace.create();
      const network = new HostNetwork(networkSwitch, findFreeSubnet(), `zephyr${process.pid}`);
      await network.connectThisMachine();
      return network;
    } catch (error) {
      await networkSwitch?.leave();
      const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
      return `network namespaces cannot be made here (${reason})`;
    }
  }

  /** Of this machine, where callers and webhook receivers are. */
  get callerAddress(): string {
    return `${this.subnet}.${CALLERS}`;
  }

  /** @param name of the host and its port of the switch, at most 15 letters and digits */
  async addHost(name: string): Promise<NetworkHost> {
    const namespace = await NetworkNamespace.create();
    const host = new NetworkHost(name, this.reserveAddress(), namespace);
    this.hosts.push(host);
    const peer = ['peer', 'name', LINK, 'netns', String(namespace.pid)];
    await this.networkSwitch.run('ip', 'link', 'add', 'name', name, 'type', 'veth', ...peer);
    await this.addPort(name);
    await namespace.run('ip', 'address', 'add', `${host.address}/24`, 'dev', LINK);
    for (const link of ['lo', LINK]) await namespace.run('ip', 'link', 'set', 'dev', link, 'up');
    return host;
  }

  /** An address that no host has. */
  reserveAddress(): string {
    return `${this.subnet}.${FIRST_HOST + this.reservedAddresses++}`;
  }

  /** Silently drops IP packets from and to the host, to and from the other host or all. */
  async silence(host: NetworkHost, other?: NetworkHost): Promise<void> {
    await this.dropPackets(host, other);
    await this.networkSwitch.run('nft', ...dropRule({ to: host.name, from: other?.name }));
  }

  /** Silently drops what the host sends. */
  async dropPackets(host: NetworkHost, other?: NetworkHost): Promise<void> {
    await this.networkSwitch.run('nft', ...dropRule({ from: host.name, to: other?.name }));
  }

  /** Takes the port of the host down: it receives and sends nothing, not even ARP. */
  async disconnect(host: NetworkHost): Promise<void> {
    await this.networkSwitch.run('ip', 'link', 'set', 'dev', host.name, 'down');
  }

  /** Ends all faults. */
  async restore(): Promise<void> {
    await this.networkSwitch.run('nft', 'flush', 'chain', 'bridge', 'faults', 'forward');
    for (const { name } of this.hosts) await this.networkSwitch.run('ip', 'link', 'set', 'dev', name, 'up');
  }

  /** The programs on its hosts must have ended. */
  async remove(): Promise<void> {
    await runCommand(['ip', 'link', 'delete', 'dev', this.callerLink]);
    await Promise.all(
      [this.networkSwitch, ...this.hosts.map(({ namespace }) => namespace)].map((each) => each.leave()),
    );
  }

  private async connectThisMachine(): Promise<void> {
    const { networkSwitch, callerLink } = this;
    const port = 'callers';
    await networkSwitch.run('ip', 'link', 'add', 'name', 'switch', 'type', 'bridge');
    await networkSwitch.run('ip', 'link', 'set', 'dev', 'switch', 'up');
    const peer = ['peer', 'name', port, 'netns', String(networkSwitch.pid)];
    await runCommand(['ip', 'link', 'add', 'name', callerLink, 'type', 'veth', ...peer]);
    await this.addPort(port);
    await runCommand(['ip', 'address', 'add', `${this.callerAddress}/24`, 'dev', callerLink]);
    await runCommand(['ip', 'link', 'set', 'dev', callerLink, 'up']);
    const chain = '{ type filter hook forward priority 0; policy accept; }';
    await networkSwitch.run('nft', `add table bridge faults; add chain bridge faults forward ${chain}`);
  }

  private async addPort(name: string): Promise<void> {
    await this.networkSwitch.run('ip', 'link', 'set', 'dev', name, 'master', 'switch');
    await this.networkSwitch.run('ip', 'link', 'set', 'dev', name, 'up');
  }
}

function findFreeSubnet(): string {
  const used = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address.split('.').slice(0, 3).join('.')),
  );
  const first = process.pid % SUBNETS.length;
  const ordered = [...SUBNETS.slice(first), ...SUBNETS.slice(0, first)];
  const subnet = ordered.find((each) => !used.includes(each));
  if (subnet === undefined) throw new Error('no subnet of 198.18.0.0/15 is free');
  return subnet;
}

function dropRule({ from, to }: { from?: string | undefined; to?: string | undefined }): string[] {
  const match = [...(from ? ['iifname', from] : []), ...(to ? ['oifname', to] : [])];
  return ['add', 'rule', 'bridge', 'faults', 'forward', ...match, 'ether', 'type', 'ip', 'drop'];
}
