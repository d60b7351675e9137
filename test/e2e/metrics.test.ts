import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '../support/child-process.js';
import { dashboardQueries, listQueriedMetrics, readAlertRules } from '../support/monitoring-files.js';
import { Service } from './support/service.js';

const GUIDE = fileURLToPath(new URL('../../docs/operating/monitoring.md', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url));

let service: Service;
let healthPort: number;
let texts: Record<'APIs' | 'processors', string>;
let guide: string;

beforeAll(async () => {
  const processor = await findFreePort();
  healthPort = await findFreePort();
  service = await Service.start({ HEALTH_PORT: String(healthPort), PROCESSOR_PORT: String(processor) });
  const scrape = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  texts = { APIs: await scrape(healthPort), processors: await scrape(processor) };
  guide = await readFile(GUIDE, 'utf8');
});
afterAll(() => service?.stop());

const parseMetricNames = (text: string) =>
  [...text.matchAll(/^# TYPE (zephyr_\w+) /gm)].map(([, name = '']) => name);
/** The rows of the table in the guide. */
const parseGuideRows = () =>
  [...guide.matchAll(/^\| `(zephyr_\w+)` +\| (both|APIs|processors) +\| (.*?) +\|/gm)].map(
    ([, name = '', of = '', labels = '']) => ({ name, of, labels: labels.match(/\w+/g) ?? [] }),
  );

describe('the metrics', () => {
  it.each(['APIs', 'processors'] as const)('of %s are exactly those of the monitoring guide', (program) => {
    const documentedRows = parseGuideRows().filter(({ of }) => of === 'both' || of === program);
    expect(parseMetricNames(texts[program]).toSorted()).toEqual(
      documentedRows.map(({ name }) => name).toSorted(),
    );
  });

  it('have the labels of the monitoring guide', () => {
    const labels = Object.fromEntries(parseGuideRows().map((each) => [each.name, each.labels]));
    for (const [, name = '', text = ''] of Object.values(texts)
      .join('\n')
      .matchAll(/^(zephyr_\w+?)(?:_bucket|_sum|_count)?\{(.*)\}/gm)) {
      const usedLabels = [...text.matchAll(/(\w+)="/g)].map(([, label = '']) => label);
      const ownLabels = usedLabels.filter((label) => label !== 'program' && label !== 'le');
      expect(ownLabels.toSorted(), name).toEqual(labels[name]?.toSorted());
    }
  });

  it('that alert rules and panels query exist, with their labels', () => {
    const exported = `${texts.APIs}\n${texts.processors}`;
    const guideRows = new Map(parseGuideRows().map((row) => [row.name, row.labels]));
    const queries = [...readAlertRules().map(({ expr }) => expr), ...dashboardQueries()];
    const queried = queries.flatMap(listQueriedMetrics);
    expect(queried.length).toBeGreaterThan(40);
    for (const { name, labels } of queried) {
      const metric = name.replace(/_(?:bucket|sum|count)$/, '');
      expect(exported).toMatch(new RegExp(`^# TYPE (?:${name} |${metric} (?:histogram|summary)$)`, 'm'));
      const known = [...(guideRows.get(name) ?? guideRows.get(metric) ?? []), 'program', 'le'];
      expect(known, name).toEqual(expect.arrayContaining(labels));
    }
  });

  it('that alert rules and panels count have their series before anything happens, so that the first increase is seen', () => {
    const exported = `${texts.APIs}\n${texts.processors}`;
    const queries = [...readAlertRules().map(({ expr }) => expr), ...dashboardQueries()];
    const queried = new Set(queries.flatMap(listQueriedMetrics).map(({ name }) => name));
    const counters = [...exported.matchAll(/^# TYPE (zephyr_\w+) counter$/gm)]
      .map(([, name = '']) => name)
      .filter((name) => queried.has(name));
    expect(counters.length).toBeGreaterThan(8);
    expect(counters.filter((name) => !new RegExp(`^${name}\\{.*\\} \\d`, 'm').test(exported))).toEqual([]);
  });

  it('report the running version and healthy dependencies', async () => {
    const { version } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { version: string };
    for (const text of Object.values(texts)) {
      expect(text).toContain(`zephyr_build_info{version="${version}",node="${process.versions.node}"`);
      for (const dependency of ['database', 'queue', 'storage'])
        expect(text).toMatch(new RegExp(`zephyr_dependency_up\\{dependency="${dependency}".*\\} 1`));
      expect(text).toMatch(/zephyr_disk_free_bytes\{folder="data".*\} [1-9]/);
    }
    expect(texts.processors).toMatch(/zephyr_disk_free_bytes\{folder="work".*\} [1-9]/);
    expect(texts.APIs).toMatch(/zephyr_oldest_waiting_stage_age_seconds\{stage="chunk".*\} 0/);
    expect(texts.APIs).toMatch(/zephyr_webhooks_pending\{.*\} 0/);
  });
});

describe('HEALTH_PORT', () => {
  it('moves health checks and metrics off the public port', async () => {
    const status = async (port: number, path: string) =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expect([await status(healthPort, path), await status(service.port, path)]).toEqual([200, 404]);
    expect([await status(healthPort, '/docs'), await status(service.port, '/docs')]).toEqual([404, 200]);
  });
});
