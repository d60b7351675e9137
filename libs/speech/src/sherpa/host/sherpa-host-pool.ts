import { Semaphore } from '../../tool/semaphore.js';
import { type HostLimits, HostProcess } from './host-process.js';
import type { HostRequestKind, HostRequests } from './host-requests.js';

const IDLE_MS = 10 * 60_000;

export interface SherpaHostPoolOptions {
  /** At most so many at work at once. Each is started when it is needed, and loads what it is asked for. */
  hosts: number;
  /** Absolute paths of the files of all models that they may be asked for: others they do not see. */
  models: readonly string[];
  /** Milliseconds without a request after which a host ends and gives its memory back; ten minutes when left out. */
  idleMs?: number;
}

interface Host {
  process: HostProcess;
  /** Models that it has loaded. */
  loadedModels: Set<string>;
  idleTimer?: NodeJS.Timeout;
}

/** Native models in processes of their own, kept warm: a bounded number of hosts, first come first served. */
export class SherpaHostPool {
  private readonly idleHosts: Host[] = [];
  private readonly activeHosts = new Set<Host>();
  private readonly semaphore: Semaphore;
  private readonly closing = new AbortController();

  constructor(private readonly options: SherpaHostPoolOptions) {
    this.semaphore = new Semaphore(options.hosts);
  }

  /** Numbers of the processes that are at work on a request. */
  get activePids(): number[] {
    return [...this.activeHosts].flatMap(({ process: { pid } }) => pid ?? []);
  }

  /**
   * What a handler of `handlers.mjs` answers. A host that does not get through is replaced; others are not touched.
   * @throws as `HostProcess.ask`; Error when the hosts were closed
   */
  async request<K extends HostRequestKind>(
    kind: K,
    request: HostRequests[K]['request'],
    limits: HostLimits,
  ): Promise<HostRequests[K]['answer']> {
    const signal = AbortSignal.any([limits.signal, this.closing.signal]);
    const answer = await this.semaphore.run(signal, () =>
      this.requestFromHost(kind, request, { ...limits, signal }),
    );
    return answer as HostRequests[K]['answer'];
  }

  /** Ends every host, whatever it does. */
  async close(): Promise<void> {
    this.closing.abort(new Error('The hosts of native models were closed.'));
    const all = [...this.idleHosts.splice(0), ...this.activeHosts];
    for (const { idleTimer: ending } of all) clearTimeout(ending);
    await Promise.all(all.map((host) => host.process.end()));
  }

  private async requestFromHost(
    kind: HostRequestKind,
    request: { model: object },
    limits: HostLimits,
  ): Promise<unknown> {
    const model = JSON.stringify([kind, request.model]);
    const host = this.takeIdleHost(model) ?? (await this.startHost(limits.signal));
    this.activeHosts.add(host);
    try {
      const answer = await host.process.request({ kind, request }, limits);
      host.loadedModels.add(model);
      return answer;
    } finally {
      this.activeHosts.delete(host);
      await this.returnHost(host, limits.signal);
    }
  }

  private async startHost(signal: AbortSignal): Promise<Host> {
    return { process: await HostProcess.start(this.options.models, signal), loadedModels: new Set() };
  }

  /** One that has loaded the model, else the one that rested longest. */
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
