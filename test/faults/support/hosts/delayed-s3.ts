import type { ChildProcess } from 'node:child_process';
import { spawnBoundToParent, stopProcess, waitForOutput } from '../../../support/child-process.js';
import { compileSources } from '../../../support/compile-sources.js';
import { parseEndpoint } from '../../../support/fault-proxy.js';
import type { Radosgw } from '../../../support/radosgw.js';
import { startRadosgwIfInstalled } from '../radosgw-if-installed.js';
import type { NetworkHost } from './network-host.js';

const PORT = 7480;
const PROGRAM = 'test/faults/programs/delaying-proxy.ts';
const START_MS = 20_000;

/** An S3 server on a host, behind a proxy on the same host that can delay what it receives and sends. */
export class DelayedS3 {
  private constructor(
    /** Without the delay. */
    readonly direct: Radosgw,
    /** The address for programs and callers. */
    readonly endpoint: string,
    private readonly proxy: ChildProcess,
  ) {}

  /** Prints a message if no S3 server is installed. */
  static async startIfInstalled(host: NetworkHost): Promise<DelayedS3 | undefined> {
    const direct = await startRadosgwIfInstalled(host);
    if (direct === undefined) return undefined;
    const compiled = await compileSources(['test/support/fault-proxy.ts', PROGRAM]);
    try {
      const { port } = parseEndpoint(direct.endpoint);
      const args = [compiled.path(PROGRAM), host.address, String(PORT), String(port)];
      const proxy = spawnBoundToParent(
        process.execPath,
        args,
        { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
        host,
      );
      await waitForOutput(proxy, /listening/, START_MS);
      return new DelayedS3(direct, `http://${host.address}:${PORT}`, proxy);
    } finally {
      await compiled.remove();
    }
  }

  setDelay(delayMs: number): void {
    this.proxy.send(delayMs);
  }

  async stop(): Promise<void> {
    await stopProcess(this.proxy, 'SIGKILL');
    await this.direct.stop();
  }
}
