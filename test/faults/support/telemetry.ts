import type { System } from './system.js';
import { until } from '../../e2e/support/until.js';

export type LogLine = Record<string, unknown>;

/** Reads the log of all programs of a system, and the metrics of the programs at the ports. */
export class Telemetry {
  constructor(
    private readonly system: System,
    private readonly ports: readonly number[],
  ) {}

  async findLogLines(fields: LogLine): Promise<LogLine[]> {
    const text = await this.system.readLog();
    return text
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogLine)
      .filter((line) => Object.entries(fields).every(([name, value]) => line[name] === value));
  }

  waitForLogLine(fields: LogLine): Promise<LogLine> {
    return until(`the log has ${JSON.stringify(fields)}`, async () => (await this.findLogLines(fields))[0]);
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
