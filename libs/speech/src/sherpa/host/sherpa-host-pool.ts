import { Semaphore, withAnySignal } from '@app/async';
import {
  type SherpaHostProcessOptions,
  type HostRequestLimits,
  SherpaHostProcess,
} from './sherpa-host-process.js';
import type { HostRequestKind, HostRequestTypeMap } from './host-requests.js';

const IDLE_MS = 10 * 60_000;

export interface SherpaHostPoolOptions extends Pick<SherpaHostProcessOptions, 'models' | 'provider'> {
  /** Each is started on demand. With a provider that has devices, each gets the device that fewest use. */
  hosts: number;
  /** Ten minutes by default. */
  idleMs?: number;
}

interface Host {
  process: SherpaHostProcess;
  device: string | undefined;
  loadedModels: Set<string>;
  idleTimer?: NodeJS.Timeout;
}

/** Serves requests in order. */
export class SherpaHostPool {
  private readonly idleHosts: Host[] = [];
  private readonly activeHosts = new Set<Host>();
  /** Devices of hosts that are being started. */
  private readonly startingDevices: (string | undefined)[] = [];
  private readonly semaphore: Semaphore;
  private readonly closing = new AbortController();
  private peakBytes: number | null = null;

  constructor(private readonly options: SherpaHostPoolOptions) {
    this.semaphore = new Semaphore(options.hosts);
  }

  /** The most that one host has reported; null before the first response. */
  get peakMemoryBytes(): number | null {
    return this.peakBytes;
  }

  get activePids(): number[] {
    return [...this.activeHosts].flatMap(({ process: { pid } }) => pid ?? []);
  }

  /** Replaces a host that fails. @throws like `SherpaHostProcess.request`; Error when the pool was closed */
  async request<K extends HostRequestKind>(
    kind: K,
    request: HostRequestTypeMap[K]['request'],
    limits: HostRequestLimits,
  ): Promise<HostRequestTypeMap[K]['answer']> {
    const answer = await withAnySignal([limits.signal, this.closing.signal], (signal) =>
      this.semaphore.run(signal, () => this.requestFromHost(kind, request, { ...limits, signal })),
    );
    return answer as HostRequestTypeMap[K]['answer'];
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('The pool of sherpa hosts was closed.'));
    const all = [...this.idleHosts.splice(0), ...this.activeHosts];
    for (const { idleTimer } of all) clearTimeout(idleTimer);
    await Promise.all(all.map((host) => host.process.end()));
  }

  private async requestFromHost(
    kind: HostRequestKind,
    request: { model: object },
    limits: HostRequestLimits,
  ): Promise<unknown> {
    const model = JSON.stringify([kind, request.model]);
    const host = this.takeIdleHost(model) ?? (await this.startHost(limits.signal));
    this.activeHosts.add(host);
    try {
      const answer = await host.process.request({ kind, request }, limits);
      host.loadedModels.add(model);
      return answer;
    } finally {
      const { peakMemoryBytes } = host.process;
      if (peakMemoryBytes !== null) this.peakBytes = Math.max(this.peakBytes ?? 0, peakMemoryBytes);
      this.activeHosts.delete(host);
      await this.returnHost(host, limits.signal);
    }
  }

  private async startHost(signal: AbortSignal): Promise<Host> {
    const device = this.findLeastUsedDevice();
    this.startingDevices.push(device);
    try {
      const process = await SherpaHostProcess.start({ ...this.options, device }, signal);
      const host: Host = { process, device, loadedModels: new Set() };
      this.activeHosts.add(host);
      return host;
    } finally {
      this.startingDevices.splice(this.startingDevices.indexOf(device), 1);
    }
  }

  private findLeastUsedDevice(): string | undefined {
    const used = [...this.idleHosts, ...this.activeHosts].map(({ device }) => device);
    const countUses = (device: string) =>
      [...used, ...this.startingDevices].filter((other) => other === device).length;
    return this.options.provider?.devices.toSorted((a, b) => countUses(a) - countUses(b))[0];
  }

  /** Prefers a host that has loaded the model, else the one that is idle longest. */
  private takeIdleHost(model: string): Host | undefined {
    const at = Math.max(
      0,
      this.idleHosts.findLastIndex((host) => host.loadedModels.has(model)),
    );
    const [host] = this.idleHosts.splice(at, 1);
    clearTimeout(host?.idleTimer);
    return host?.process.alive ? host : undefined;
  }

  private async returnHost(host: Host, { aborted }: AbortSignal): Promise<void> {
    if (aborted || !host.process.alive) return host.process.end();
    host.idleTimer = setTimeout(() => {
      this.idleHosts.splice(this.idleHosts.indexOf(host), 1);
      void host.process.end();
    }, this.options.idleMs ?? IDLE_MS).unref();
    this.idleHosts.push(host);
  }
}
