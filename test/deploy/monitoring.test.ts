import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { isOperationalRoute } from '../../apps/api/src/http-adapter.js';
import { dashboardQueries, readAlertRules, readDashboard } from '../support/monitoring-files.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MONITORING = `${ROOT}deploy/monitoring`;
const RULES = readFileSync(`${MONITORING}/zephyr.rules.yml`, 'utf8');

interface RuleTestFile {
  tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[];
}

/** @returns its output, also if it fails */
function runPromtool(folder: string, ...args: string[]): string {
  const { stdout, stderr, error } = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' });
  if (error) throw error;
  return stdout + stderr;
}

/** Runs the cases on other rules. @returns the names of the alerts that the cases did not expect so */
function findFailedAlerts(
  rules: string,
  cases = readFileSync(`${MONITORING}/zephyr.rules.test.yml`, 'utf8'),
): string[] {
  expect(rules).not.toBe(RULES);
  const folder = mkdtempSync(`${tmpdir()}/rules-`);
  try {
    writeFileSync(`${folder}/zephyr.rules.test.yml`, cases);
    writeFileSync(`${folder}/zephyr.rules.yml`, rules);
    const output = runPromtool(folder, 'test', 'rules', 'zephyr.rules.test.yml');
    const names = [...output.matchAll(/alertname: (\w+)/g)].map(([, name = '']) => name);
    return [...new Set(names)].toSorted();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the alert rules', () => {
  const rules = readAlertRules();
  const selectAlerts = (isSelected: (rule: (typeof rules)[number]) => boolean) =>
    rules
      .filter(isSelected)
      .map(({ alert }) => alert)
      .toSorted();

  it('have a severity, a summary, a description, and a section of the runbooks each', () => {
    const runbooks = readFileSync(`${ROOT}docs/operating/runbooks.md`, 'utf8');
    const sections = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);
    expect(selectAlerts(() => true)).toEqual(sections.toSorted());
    for (const { alert, labels, annotations } of rules) {
      expect(labels['severity'], alert).toMatch(/^(?:warning|critical)$/);
      expect(annotations['summary'], alert).toMatch(/\w/);
      expect(annotations['description'], alert).toMatch(/\.$/);
      expect(annotations['runbook']).toBe(`docs/operating/runbooks.md#${alert.toLowerCase()}`);
    }
  });

  it.each([
    ['check', 'rules', 'zephyr.rules.yml'],
    ['test', 'rules', 'zephyr.rules.test.yml'],
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
  ])('pass promtool %s %s', (...args) => {
    expect(runPromtool(MONITORING, ...args)).toMatch(/SUCCESS(?!.*FAILED)/s);
  });

  it('have a case that raises the alert and one that does not each', () => {
    const file = parse(readFileSync(`${MONITORING}/zephyr.rules.test.yml`, 'utf8')) as RuleTestFile;
    const cases = file.tests.flatMap((test) => test.alert_rule_test);
    for (const raises of [true, false]) {
      const tested = cases.filter((each) => each.exp_alerts.length > 0 === raises);
      expect([...new Set(tested.map(({ alertname }) => alertname))].toSorted()).toEqual(
        selectAlerts(() => true),
      );
    }
  });

  it('fail their cases if they raise the alert a minute earlier', () => {
    const changed = RULES.replaceAll(/ for: (\d+)([mh])$/gm, (_, time: string, unit: string) => {
      return ` for: ${Number(time) * (unit === 'h' ? 60 : 1) - 1}m`;
    });
    expect(findFailedAlerts(changed)).toEqual(selectAlerts((rule) => rule.for !== undefined));
  });

  it('fail their cases if they raise the alert at the threshold', () => {
    const changed = RULES.replaceAll(/ ([<>]) (?=[\d.]+'?$)/gm, ' $1= ');
    expect(findFailedAlerts(changed)).toEqual(selectAlerts(({ expr }) => / [<>] [\d.]+$/.test(expr)));
  });
});

describe('the expression of ZephyrNoProcessor for processors at zero', () => {
  const page = readFileSync(`${ROOT}docs/operating/kubernetes.md`, 'utf8');
  const [, expression = ''] = /Replace its expression[^`]*`([^`]+)`/.exec(page) ?? [];
  const rules = RULES.replace(/(?<=alert: ZephyrNoProcessor\n +expr: ).*/, `'${expression}'`);
  const waits = (seconds: number) => ({
    series: 'zephyr_oldest_waiting_stage_age_seconds{stage="chunk",instance="api1:3100"}',
    values: `${seconds}x20`,
  });
  const processor = {
    series: 'zephyr_build_info{program="processor",instance="processor1:3100"}',
    values: '1x20',
  };

  it.each([
    ['is raised while a job waits and no processor runs', [waits(901)], true],
    ['is not raised while no job waits', [waits(900)], false],
    ['is not raised while a processor runs', [waits(901), processor], false],
  ])('%s', (_, series, isRaised) => {
    expect(rules).toContain(expression);
    const { annotations, labels } =
      readAlertRules().find(({ alert }) => alert === 'ZephyrNoProcessor') ?? expect.unreachable();
    const cases = {
      rule_files: ['zephyr.rules.yml'],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: series,
          alert_rule_test: [
            {
              alertname: 'ZephyrNoProcessor',
              eval_time: '2m',
              exp_alerts: isRaised ? [{ exp_labels: labels, exp_annotations: annotations }] : [],
            },
          ],
        },
      ],
    };
    expect(findFailedAlerts(rules, JSON.stringify(cases))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('has panels of one id, one title and one place each, which say what they show', () => {
    const panels = readDashboard().panels.filter(({ type }) => type !== 'row');
    expect(panels.length).toBeGreaterThan(20);
    for (const key of ['id', 'title', 'gridPos'] as const) {
      const values = panels.map((panel) => JSON.stringify(panel[key]));
      expect(new Set(values).size, key).toBe(values.length);
    }
    for (const { title, description, targets } of panels) {
      expect(description, title).toMatch(/\w/);
      expect(targets?.length, title).toBeGreaterThan(0);
    }
  });

  it('shows the present state in panels of single values, not the last value of a program that is gone', () => {
    const stats = readDashboard().panels.filter(({ type }) => type === 'stat');
    expect(stats.length).toBeGreaterThan(0);
    for (const { title, targets } of stats)
      expect(
        targets?.map(({ instant }) => instant),
        title,
      ).toEqual(targets?.map(() => true));
  });

  it('selects the job in every query', () => {
    for (const query of dashboardQueries()) expect(query).toContain('job="$job"');
  });
});

describe('the queries of requests', () => {
  const queries = [...readAlertRules().map(({ expr }) => expr), ...dashboardQueries()];
  const selectors = queries.flatMap((query) =>
    [...query.matchAll(/zephyr_http_request_seconds_\w+(?:\{([^}]*)\})?/g)].map(([, labels = '']) => labels),
  );

  it.each(['/health/live', '/health/ready', '/metrics'])('leave out %s', (url) => {
    expect(isOperationalRoute({ routeOptions: { url } as never })).toBe(true);
    expect(selectors.length).toBeGreaterThan(3);
    for (const selector of selectors) expect(readExcludedRoutes(selector).test(url), selector).toBe(true);
  });

  it.each(['/api/v1/jobs', '/docs', 'none'])('include %s', (url) => {
    for (const selector of selectors) expect(readExcludedRoutes(selector).test(url), selector).toBe(false);
  });
});

/** Prometheus matches the whole value. */
function readExcludedRoutes(selector: string): RegExp {
  return new RegExp(`^(?:${/route!~"([^"]*)"/.exec(selector)?.[1] ?? ''})$`);
}

interface ScrapeConfig {
  job_name: string;
  static_configs?: { targets: string[] }[];
}

interface Service {
  command?: string[];
  environment: Record<string, string>;
}

describe('the configuration of Prometheus', () => {
  const config = parse(readFileSync(`${MONITORING}/prometheus.yml`, 'utf8')) as {
    rule_files: string[];
    scrape_configs: ScrapeConfig[];
  };

  it('reads the rules and scrapes under the job name that they expect', () => {
    expect(config.rule_files).toEqual(['zephyr.rules.yml']);
    expect(config.scrape_configs.map(({ job_name: job }) => job)).toEqual(['zephyr']);
  });

  it('names each program of split.yml, so that one that is down is a target that does not answer', () => {
    const { services } = parse(readFileSync(`${ROOT}deploy/compose/split.yml`, 'utf8'), { merge: true }) as {
      services: Record<string, Service>;
    };
    const ports: Record<string, string> = { api: 'HEALTH_PORT', processor: 'PROCESSOR_PORT' };
    const expected = Object.entries(services).flatMap(([name, { command = [], environment }]) => {
      const port = ports[command[0] ?? ''];
      return port === undefined ? [] : [`${name}:${environment[port]}`];
    });
    expect(expected).toHaveLength(4);
    const targets = config.scrape_configs.flatMap(({ static_configs: groups = [] }) =>
      groups.flatMap((group) => group.targets),
    );
    expect(targets.toSorted()).toEqual(expected.toSorted());
  });
});
