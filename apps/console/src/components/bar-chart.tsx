import type { ReactNode } from 'react';

interface StackedBarData {
  /** Such as a day. */
  label: string;
  /** Values of the series, in their order. */
  values: readonly number[];
}

export interface Series {
  id: string;
  name: string;
}

interface BarChartProps {
  /** Read by screen readers in place of the picture. */
  description: string;
  series: readonly Series[];
  bars: readonly StackedBarData[];
  format: (value: number) => string;
}

/** So many series have a colour of their own. */
export const MAX_COLORED_SERIES = 6;

const FILLS = [
  'fill-series-1',
  'fill-series-2',
  'fill-series-3',
  'fill-series-4',
  'fill-series-5',
  'fill-series-6',
] as const;
const STEP = 10;
const WIDTH = 8;
const HEIGHT = 100;
/** Stacked bars. Numbers are in a table beside it, because a picture cannot be read by all. */
export function StackedBarChart({ description, series, bars, format }: BarChartProps) {
  const max = Math.max(...bars.map(({ values }) => sum(values)));
  const width = bars.length * STEP;
  return (
    <figure className="flex flex-col gap-1">
      <Row>
        <span>{format(max)}</span>
      </Row>
      <svg
        role="img"
        aria-label={description}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="border-line h-44 w-full border-y"
      >
        <line
          x1={0}
          x2={width}
          y1={HEIGHT / 2}
          y2={HEIGHT / 2}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
        {bars.map(({ label, values }, index) => (
          <g key={label}>
            <title>{`${label}: ${format(sum(values))}`}</title>
            {stack(values, max).map(({ y, height }, at) => (
              <rect
                key={series[at]?.id}
                x={index * STEP + (STEP - WIDTH) / 2}
                y={y}
                width={WIDTH}
                height={height}
                className={FILLS[at % FILLS.length]}
              />
            ))}
          </g>
        ))}
      </svg>
      <Row>
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </Row>
      <figcaption>
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {series.map(({ id, name }, at) => (
            <li key={id} className="flex min-w-0 items-center gap-1.5">
              <svg aria-hidden viewBox="0 0 10 10" className={`size-3 shrink-0 ${FILLS[at % FILLS.length]}`}>
                <rect width="10" height="10" rx="2" />
              </svg>
              <span className="min-w-0 break-words">{name}</span>
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

function Row({ children }: { children: ReactNode }) {
  return (
    <div aria-hidden className="text-muted flex justify-between text-xs">
      {children}
    </div>
  );
}

/** From the bottom. */
function stack(values: readonly number[], max: number): { y: number; height: number }[] {
  let top = HEIGHT;
  return values.map((value) => {
    const height = max === 0 ? 0 : (value / max) * HEIGHT;
    top -= height;
    return { y: top, height };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
