import type { UsagePeriod, UsageRow } from '../../api/billing.ts';
import { MAX_COLORED_SERIES, type Series } from '../../components/bar-chart.tsx';
import { texts } from '../../texts/index.ts';

export const USAGE_PERIODS = ['7', '30', '90', 'month', 'previous-month'] as const;
export const USAGE_MEASURES = ['credits', 'audio', 'jobs'] as const;
export const USAGE_GROUPINGS = ['key', 'kind'] as const;

export type UsagePeriodName = (typeof USAGE_PERIODS)[number];
export type UsageMeasure = (typeof USAGE_MEASURES)[number];
export type UsageGrouping = (typeof USAGE_GROUPINGS)[number];

export type UsageSums = Record<UsageMeasure | 'failed', number>;

export interface UsageGroupTotal extends UsageSums {
  id: string;
  name: string;
}

export interface UsageSummary {
  /** By key or kind, the most used first. */
  totals: UsageGroupTotal[];
  /** Series of the chart: the most used ones, and the others together. */
  series: Series[];
  /** Every day of the period. `groups` are in the order of the series. */
  days: { day: string; total: UsageSums; groups: UsageSums[] }[];
}

const DAY_MS = 86_400_000;
const OTHERS = 'others';

/** Days are in UTC. */
export function computeUsagePeriod(name: UsagePeriodName, now: Date): UsagePeriod {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const today = Date.UTC(year, month, now.getUTCDate());
  const [from, until] =
    name === 'month'
      ? [Date.UTC(year, month, 1), today + DAY_MS]
      : name === 'previous-month'
        ? [Date.UTC(year, month - 1, 1), Date.UTC(year, month, 1)]
        : [today - (Number(name) - 1) * DAY_MS, today + DAY_MS];
  return { from: toDay(from), days: (until - from) / DAY_MS };
}

export function summarizeUsage(
  rows: readonly UsageRow[],
  period: UsagePeriod,
  grouping: UsageGrouping,
): UsageSummary {
  const totals = new Map<string, UsageGroupTotal>();
  for (const row of rows) {
    const { id, name } = findGroup(row, grouping);
    const sums = totals.get(id) ?? { id, name, ...createSums() };
    totals.set(id, sums);
    addRow(sums, row);
  }
  const ordered = [...totals.values()].toSorted((a, b) => b.credits - a.credits || b.jobs - a.jobs);
  const needsOthers = ordered.length > MAX_COLORED_SERIES;
  const series = ordered
    .slice(0, needsOthers ? MAX_COLORED_SERIES - 1 : MAX_COLORED_SERIES)
    .map(({ id, name }) => ({ id, name }));
  if (needsOthers) series.push({ id: OTHERS, name: texts.billing.other });
  const from = Date.parse(`${period.from}T00:00:00Z`);
  const days = Array.from({ length: period.days }, (_, day) => ({
    day: toDay(from + day * DAY_MS),
    total: createSums(),
    groups: series.map(createSums),
  }));
  const byDay = new Map(days.map((each) => [each.day, each]));
  for (const row of rows) {
    const day = byDay.get(row.day);
    if (!day) continue;
    addRow(day.total, row);
    const { id } = findGroup(row, grouping);
    const at = series.findIndex((each) => each.id === id);
    const group = day.groups.at(at);
    if (group) addRow(group, row);
  }
  return { totals: ordered, series, days };
}

function findGroup({ key, kind }: UsageRow, grouping: UsageGrouping): { id: string; name: string } {
  if (grouping === 'kind') return { id: kind, name: texts.billing.kinds[kind] ?? kind };
  return key ?? { id: 'console', name: texts.billing.console };
}

function createSums(): UsageSums {
  return { credits: 0, audio: 0, jobs: 0, failed: 0 };
}

function addRow(sums: UsageSums, { credits, audio_seconds, created, failed }: UsageRow): void {
  sums.credits += credits;
  sums.audio += audio_seconds;
  sums.jobs += created;
  sums.failed += failed;
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
