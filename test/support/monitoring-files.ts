import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const MONITORING = fileURLToPath(new URL('../../deploy/monitoring', import.meta.url));

export interface AlertRule {
  alert: string;
  expr: string;
  for?: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: object;
  targets?: { expr: string; instant?: boolean }[];
}

export function readAlertRules(): AlertRule[] {
  const file = parse(readFileSync(`${MONITORING}/zephyr.rules.yml`, 'utf8')) as {
    groups: { rules: AlertRule[] }[];
  };
  return file.groups.flatMap(({ rules }) => rules);
}

export function readDashboard(): { panels: Panel[] } {
  return JSON.parse(readFileSync(`${MONITORING}/dashboard.json`, 'utf8')) as { panels: Panel[] };
}

export function dashboardQueries(): string[] {
  return readDashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** A metric of a query, with the labels that are selected or grouped by beside it. */
export interface QueriedMetric {
  name: string;
  labels: string[];
}

const SELECTOR = /\b((?:zephyr|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;
const GROUPING = /\bby \(([^)]*)\)/g;

/** The metrics that a query names, with every label of the query that is not added by Prometheus. */
export function listQueriedMetrics(query: string): QueriedMetric[] {
  const grouped = [...query.matchAll(GROUPING)].flatMap(([, labels = '']) => labels.split(/\s*,\s*/));
  return [...query.matchAll(SELECTOR)].map(([, name = '', selectors = '']) => ({
    name,
    labels: [
      ...grouped,
      ...[...selectors.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
    ].filter((label) => label !== 'job' && label !== 'instance'),
  }));
}
