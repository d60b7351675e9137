import { Turns } from '../../tool/turns.js';
import { type HostLimits, HostProcess } from './host-process.js';
import type { HostKind, HostRequests } from './requests.js';

const IDLE_MS = 10 * 60_000;

export interface HostsOptions {
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
  warm: Set<string>;
  ending?: NodeJS.Timeout;
}

/** Native models in processes of their own, kept warm: a bounded number of hosts, first come first served. */
export class SherpaHosts {
  private readonly resting: Host[] = [];
  private readonly busy = new Set<Host>();
  private readonly turns: Turns;
  private readonly closing = new AbortController();

  constructor(private readonly options: HostsOptions) {
    this.turns = new Turns(options.hosts);
  }

  /** Numbers of the processes that are at work on a request. */
  get working(): number[] {
    return [...this.busy].flatMap(({ process: { pid } }) => pid ?? []);
  }

  /**
   * What a handler of `handlers.mjs` answers. A host that does not get through is replaced; others are not touched.
   * @throws as `HostProcess.ask`; Error when the hosts were closed
   */
  async ask<K extends HostKind>(
    kind: K,
    request: HostRequests[K]['request'],
    limits: HostLimits,
  ): Promise<HostRequests[K]['answer']> {
    const signal = AbortSignal.any([limits.signal, this.closing.signal]);
    const answer = await this.turns.within(signal, () => this.askHost(kind, request, { ...limits, signal }));
    return answer as HostRequests[K]['answer'];
  }

  /** Ends every host, whatever it does. */
  async close(): Promise<void> {
    this.closing.abort(new Error('The hosts of native models were closed.'));
    const all = [...this.resting.splice(0), ...this.busy];
    for (const { ending } of all) clearTimeout(ending);
    await Promise.all(all.map((host) => host.process.end()));
  }

  private async askHost(kind: HostKind, request: { model: object }, limits: HostLimits): Promise<unknown> {
    const model = JSON.stringify([kind, request.model]);
    const host = this.wake(model) ?? (await this.start(limits.signal));
    this.busy.add(host);
    try {
      const answer = await host.process.ask({ kind, request }, limits);
      host.warm.add(model);
      return answer;
    } finally {
      this.busy.delete(host);
      await this.rest(host, limits.signal);
    }
  }

  private async start(signal: AbortSignal): Promise<Host> {
    return { process: await HostProcess.start(this.options.models, signal), warm: new Set() };
  }

  /** One that has loaded the model, else the one that rested longest. */
  private wake(model: string): Host | undefined {
    const at = Math.max(
      0,
      this.resting.findLastIndex((host) => host.warm.has(model)),
    );
    const [host] = this.resting.splice(at, 1);
    clearTimeout(host?.ending);
    return host?.process.alive ? host : undefined;
  }

  private async rest(host: Host, { aborted }: AbortSignal): Promise<void> {
    if (aborted || !host.process.alive) return host.process.end();
    host.ending = setTimeout(() => {
      this.resting.splice(this.resting.indexOf(host), 1);
      void host.process.end();
    }, this.options.idleMs ?? IDLE_MS).unref();
    this.resting.push(host);
  }
}
