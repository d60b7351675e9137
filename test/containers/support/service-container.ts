import { randomBytes } from 'node:crypto';
import { sampleRecording } from '../../e2e/support/audio.js';
import { Client } from '../../e2e/support/client.js';
import { until } from '../../e2e/support/until.js';
import { findFreePort } from '../../support/child-process.js';
import { Container, type Variant } from './container.js';
import { findImagesFolder } from './images-folder.js';

const READY_MS = 180_000;
/** For the hook that starts it. */
export const SERVICE_START_MS = READY_MS + 60_000;
/** For a test that transcribes the sample. */
export const SAMPLE_MS = 300_000;

export interface Finding {
  name: string;
  status: string;
  detail: string;
}

/** The whole service (`start`) in one container, and an account of it. */
export class ServiceContainer {
  private constructor(
    readonly container: Container,
    private readonly client: Client,
  ) {}

  /** @throws Error with its log if it does not get ready */
  static async start(variant: Variant, settings: Record<string, string> = {}): Promise<ServiceContainer> {
    const [port, processorPort] = [String(await findFreePort()), String(await findFreePort())];
    const name = `zephyr-${process.pid}-${randomBytes(4).toString('hex')}`;
    const container = await Container.start(findImagesFolder(), name, {
      variant,
      command: ['start'],
      env: { HOST: '127.0.0.1', PORT: port, PROCESSOR_PORT: processorPort, ...settings },
    });
    try {
      const baseUrl = `http://127.0.0.1:${port}`;
      const isReady = async () => (await fetch(`${baseUrl}/health/ready`)).ok;
      await until('the service is ready', isReady, READY_MS);
      const account = await container.zephyr('accounts', 'create', 'Example', '--credits', '100000');
      const { api_key: key } = JSON.parse(account.stdout) as { api_key: string };
      return new ServiceContainer(container, new Client(baseUrl, key));
    } catch (error) {
      const log = await container.log();
      await container.remove();
      throw new Error(log, { cause: error });
    }
  }

  /** @returns the text */
  async transcribeSample(): Promise<string> {
    const { job_id: id } = await this.client.submit(await sampleRecording(), { output_type: 'txt' });
    const last = (await this.client.events(id)).at(-1);
    if (last?.name !== 'completed') throw new Error(`the job ended with ${JSON.stringify(last)}`);
    const { download_url: url } = await this.client.job(id);
    return (await this.client.download(url ?? '')).text;
  }

  /** @param settings besides those of the service */
  async doctor(settings: Record<string, string> = {}): Promise<Finding[]> {
    const { stdout } = await this.container.zephyrWith(settings, 'doctor', '--json');
    return JSON.parse(stdout) as Finding[];
  }

  remove(): Promise<void> {
    return this.container.remove();
  }
}
