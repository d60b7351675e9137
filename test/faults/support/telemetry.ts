import { until } from '../../e2e/support/until.js';
import { waitForLogLine } from '../../e2e/support/wait-for-log-line.js';
import { findJsonLines, type JsonLine } from '../../support/json-lines.js';
import type { System } from './system.js';

/** Reads the log of all programs of a system, and the metrics of the programs at the ports. */
export class Telemetry {
  constructor(
    private readonly system: System,
    private readonly ports: readonly number[],
  ) {}

  async findLogLines(fields: JsonLine): Promise<JsonLine[]> {
    return findJsonLines(await this.system.readLog(), fields);
  }

  waitForLogLine(fields: JsonLine): Promise<JsonLine> {
    return waitForLogLine(() => this.system.readLog(), fields);
  }

  /** Sums the samples with these labels over all programs that are available. */
  async sumMetric(name: string, labels: Record<string, string> = {}): Promise<number> {
    const texts = await Promise.all(
      this.ports.map(async (port) => {
        const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
        return response?.text() ?? '';
      }),
    );
    const samples = texts
      .join('\n')
      .split('\n')
      .filter((sample) => sample.startsWith(`${name}{`))
      .filter((sample) =>
        Object.entries(labels).every(([label, value]) => sample.includes(`${label}="${value}"`)),
      );
    return samples.reduce((sum, sample) => sum + Number(sample.slice(sample.lastIndexOf(' '))), 0);
  }

  async waitForMetricIncrease(
    name: string,
    labels: Record<string, string>,
    before: number,
    by = 1,
  ): Promise<void> {
    await until(
      `${name} ${JSON.stringify(labels)} has increased by ${by}`,
      async () => (await this.sumMetric(name, labels)) >= before + by,
    );
  }
}
