import { Client, type JobEvent, type StreamRequest } from '../../e2e/support/client.js';
import type { Bytes } from '../../e2e/support/audio.js';
import { RETRY_STATUSES_BEHIND_PROXY, submitJobRequest } from '../../e2e/support/job-requests.js';
import { until } from '../../e2e/support/until.js';
import { ObservationRecorder } from '../../support/invariants/observation-recorder.js';
import { Operator } from './operator.js';

export const ZEPHYR = '/opt/zephyr/bin/zephyr';
export const PROGRAMS = ['api1', 'api2', 'processor1', 'processor2'];
export const SPLIT_URL = 'http://127.0.0.1:3000';
/** To start, stop, or recover all containers. */
export const UP_MS = 400_000;
export const CREDITS = 100_000;
const FILES = '-f split.yml -f observability.yml';
const PROMETHEUS_URL = 'http://127.0.0.1:9090';

/** Counts the connections for the stream of each job. */
export class StreamingClient extends Client {
  readonly connections = new Map<string, number>();

  override async *stream(jobId: string, request?: StreamRequest): AsyncGenerator<JobEvent> {
    this.connections.set(jobId, (this.connections.get(jobId) ?? 0) + 1);
    yield* super.stream(jobId, request);
  }
}

/** The containers of split.yml, started as the page of the documentation says, with an account. */
export class SplitInstallation {
  private names = 0;

  private constructor(
    readonly operator: Operator,
    readonly accountId: string,
    readonly client: StreamingClient,
  ) {}

  /** @throws Error after it has removed what it started */
  static async start(): Promise<SplitInstallation> {
    const operator = await Operator.start();
    try {
      await operator.configure();
      await operator.follow('docker compose -f split.yml up -d');
      await operator.waitUntilServing(FILES, PROGRAMS);
      // APIs serve before the object store does.
      await until(
        'no problem is left',
        async () => (await operator.try(`docker compose ${FILES} exec api1 ${ZEPHYR} doctor`)).code === 0,
        UP_MS,
      );
      const created = await operator.follow(
        `docker compose -f split.yml exec api1 ${ZEPHYR} accounts create Example --credits ${CREDITS}`,
      );
      await operator.follow(`docker compose -f split.yml exec api1 ${ZEPHYR} users create you@example.com`);
      const account = JSON.parse(created) as { account_id: string; api_key: string };
      const client = new StreamingClient(SPLIT_URL, account.api_key);
      return new SplitInstallation(operator, account.account_id, client);
    } catch (error) {
      await operator.remove(FILES);
      throw error;
    }
  }

  remove(): Promise<void> {
    return this.operator.remove(FILES);
  }

  async startObservability(): Promise<void> {
    await this.operator.follow('docker compose -f split.yml -f observability.yml up -d');
    await until(
      'all programs are scraped',
      async () => (await this.countScraped()) === PROGRAMS.length,
      90_000,
    );
  }

  /** @returns the targets that do not answer Prometheus, sorted */
  async listDown(): Promise<string[]> {
    const response = await fetch(`${PROMETHEUS_URL}/api/v1/query?query=${encodeURIComponent('up == 0')}`);
    const { data } = (await response.json()) as { data: { result: { metric: { instance: string } }[] } };
    return data.result.map(({ metric }) => metric.instance).toSorted();
  }

  async fetchAlertRules(): Promise<string> {
    return (await fetch(`${PROMETHEUS_URL}/api/v1/rules`)).text();
  }

  /** Runs a command of the service in a container. @returns its output */
  runZephyr(service: string, command: string): Promise<string> {
    return this.operator.run(`docker compose ${FILES} exec ${service} ${ZEPHYR} ${command}`);
  }

  findContainers(...services: string[]): Promise<string[]> {
    return Promise.all(services.map((service) => this.operator.container(FILES, service)));
  }

  waitUntilServing(): Promise<void> {
    return this.operator.waitUntilServing(FILES, PROGRAMS);
  }

  /** Repeats requests that may be repeated, as clients do. @returns the id of the job */
  async submit(bytes: Bytes): Promise<string> {
    const request = { name: `recording-${(this.names += 1)}`, bytes, options: { output_type: 'txt' } };
    const observations = new ObservationRecorder();
    return (await submitJobRequest(this.client, request, observations, RETRY_STATUSES_BEHIND_PROXY)).job_id;
  }

  private async countScraped(): Promise<number> {
    const response = await fetch(`${PROMETHEUS_URL}/api/v1/targets?state=active`);
    const { data } = (await response.json()) as { data: { activeTargets: { health: string }[] } };
    return data.activeTargets.filter(({ health }) => health === 'up').length;
  }
}
