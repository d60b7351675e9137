import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usageQueryOptions } from '../../api/billing.ts';
import { StackedBarChart } from '../../components/bar-chart.tsx';
import { SelectField } from '../../components/field.tsx';
import { MoreRows } from '../../components/more-rows.tsx';
import { LoadErrorNotice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Table } from '../../components/table.tsx';
import { formatDurationInWords } from '../../lib/format.ts';
import { formatDay, formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/index.ts';
import {
  computeUsagePeriod,
  type UsageGrouping,
  USAGE_GROUPINGS,
  type UsageMeasure,
  USAGE_MEASURES,
  type UsagePeriodName,
  USAGE_PERIODS,
  summarizeUsage,
  type UsageGroupTotal,
  type UsageSummary,
} from './usage-summary.ts';

export function UsageView({ accountId }: { accountId: string }) {
  const [name, setName] = useState<UsagePeriodName>('30');
  const [period, setPeriod] = useState(() => computeUsagePeriod('30', new Date()));
  const [measure, setMeasure] = useState<UsageMeasure>('credits');
  const [grouping, setGrouping] = useState<UsageGrouping>('key');
  const usage = useQuery(usageQueryOptions(accountId, period));
  const summary = usage.data && summarizeUsage(usage.data.rows, period, grouping);
  return (
    <>
      <div className="filters">
        <Choice
          label={texts.billing.period}
          value={name}
          options={USAGE_PERIODS}
          titles={texts.billing.periods}
          onChange={(chosen) => {
            setName(chosen);
            setPeriod(computeUsagePeriod(chosen, new Date()));
          }}
        />
        <Choice
          label={texts.billing.measure}
          value={measure}
          options={USAGE_MEASURES}
          titles={texts.billing.measures}
          onChange={setMeasure}
        />
        <Choice
          label={texts.billing.groupBy}
          value={grouping}
          options={USAGE_GROUPINGS}
          titles={texts.billing.groups}
          onChange={setGrouping}
        />
      </div>
      {usage.isError && !usage.data ? (
        <LoadErrorNotice error={usage.error} onRetry={() => void usage.refetch()} />
      ) : !summary ? (
        <Skeleton rows={8} />
      ) : summary.totals.length === 0 ? (
        <p className="text-muted">{texts.billing.emptyUsage}</p>
      ) : (
        <UsageReport key={name} summary={summary} measure={measure} grouping={grouping} />
      )}
    </>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly Value[];
  titles: Record<Value, string>;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, options, titles, onChange }: ChoiceProps<Value>) {
  return (
    <SelectField label={label} value={value} onChange={(event) => onChange(event.target.value as Value)}>
      {options.map((option) => (
        <option key={option} value={option}>
          {titles[option]}
        </option>
      ))}
    </SelectField>
  );
}

const FORMATS: Record<UsageMeasure, (value: number) => string> = {
  credits: formatNumber,
  audio: formatDurationInWords,
  jobs: formatNumber,
};
const DAYS_SHOWN = 7;

interface UsageReportProps {
  summary: UsageSummary;
  measure: UsageMeasure;
  grouping: UsageGrouping;
}

function UsageReport({ summary, measure, grouping }: UsageReportProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { totals, series, days } = summary;
  const used = days.filter(({ total }) => total.jobs > 0).toReversed();
  const shown = showsAll ? used : used.slice(0, DAYS_SHOWN);
  const first = formatDay(days[0]?.day ?? '');
  const last = formatDay(days.at(-1)?.day ?? '');
  const group = texts.billing.groups[grouping];
  return (
    <>
      <Section title={texts.billing.measures[measure]}>
        <StackedBarChart
          description={texts.billing.chart(texts.billing.measures[measure], group, first, last)}
          series={series}
          bars={days.map(({ day, groups }) => ({
            label: formatDay(day),
            values: groups.map((sums) => sums[measure]),
          }))}
          format={FORMATS[measure]}
        />
        <p className="text-muted text-xs">{texts.billing.utc}</p>
      </Section>
      <h2 className="text-base font-semibold">{texts.billing.totals}</h2>
      <SumTable label={texts.billing.totals} title={group} rows={totals} />
      <h2 className="text-base font-semibold">{texts.billing.byDay}</h2>
      <SumTable
        label={texts.billing.byDay}
        title={texts.billing.day}
        rows={shown.map(({ day, total }) => ({ ...total, id: day, name: formatDay(day) }))}
      />
      <MoreRows
        title={texts.billing.moreDays}
        count={shown.length}
        isShown={shown.length < used.length}
        onMore={() => setShowsAll(true)}
      />
    </>
  );
}

function SumTable({
  label,
  title,
  rows,
}: {
  label: string;
  title: string;
  rows: readonly UsageGroupTotal[];
}) {
  return (
    <Table
      label={label}
      columns={[
        { key: 'name', title, render: ({ name }) => <span className="break-words">{name}</span> },
        { key: 'jobs', title: texts.billing.jobs, isNumeric: true, render: ({ jobs }) => formatNumber(jobs) },
        {
          key: 'failed',
          title: texts.billing.failed,
          isNumeric: true,
          render: ({ failed }) => formatNumber(failed),
        },
        {
          key: 'audio',
          title: texts.billing.audio,
          isNumeric: true,
          render: ({ audio }) => formatDurationInWords(audio),
        },
        {
          key: 'credits',
          title: texts.billing.creditsColumn,
          isNumeric: true,
          render: ({ credits }) => formatNumber(credits),
        },
      ]}
      rows={rows}
      keyOf={({ id }) => id}
    />
  );
}
