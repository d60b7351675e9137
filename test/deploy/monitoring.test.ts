import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { dashboardQueries, readAlertRules, readDashboard } from '../support/monitoring-files.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MONITORING = `${ROOT}deploy/monitoring`;
const PROMTOOL = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find((path) => existsSync(path));

describe('the alert rules', () => {
  const rules = readAlertRules();

  it('have a severity, a summary, a description, and a section of the runbooks each', () => {
    const runbooks = readFileSync(`${ROOT}docs/operating/runbooks.md`, 'utf8');
    const sections = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name);
    expect(rules.map(({ alert }) => alert).toSorted()).toEqual(sections.toSorted());
    for (const { alert, labels, annotations } of rules) {
      expect(labels['severity'], alert).toMatch(/^(?:warning|critical)$/);
      expect(annotations['summary'], alert).toMatch(/\w/);
      expect(annotations['description'], alert).toMatch(/\.$/);
      expect(annotations['runbook']).toBe(`docs/operating/runbooks.md#${alert.toLowerCase()}`);
    }
  });

  it.skipIf(PROMTOOL === undefined)(
    'are valid for Prometheus and raise the alerts of their test cases',
    () => {
      for (const args of [
        ['check', 'rules', 'zephyr.rules.yml'],
        ['test', 'rules', 'zephyr.rules.test.yml'],
        ['check', 'config', '--syntax-only', 'prometheus.yml'],
      ])
        expect(execFileSync(PROMTOOL ?? '', args, { cwd: MONITORING, encoding: 'utf8' })).toContain(
          'SUCCESS',
        );
    },
  );
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

  it('selects the job in every query', () => {
    for (const query of dashboardQueries()) expect(query).toContain('job="$job"');
  });
});

describe('the configuration of Prometheus', () => {
  it('reads the rules and scrapes under the job name that they expect', () => {
    const config = parse(readFileSync(`${MONITORING}/prometheus.yml`, 'utf8')) as {
      rule_files: string[];
      scrape_configs: { job_name: string }[];
    };
    expect(config.rule_files).toEqual(['zephyr.rules.yml']);
    expect(config.scrape_configs.map(({ job_name: job }) => job)).toEqual(['zephyr']);
  });
});

if (PROMTOOL === undefined)
  console.warn('Skipped, the check of the rules by Prometheus: promtool is not installed.');
