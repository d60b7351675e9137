import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';

/** Sorting a slice takes some milliseconds. */
const SLICE_LENGTH = 10_000;

type Compare<T> = (left: T, right: T) => number;

/** A merge sort that lets other work run after each slice, because a folder may have millions of entries. */
export async function sortWithoutBlocking<T>(
  values: readonly T[],
  compare: Compare<T>,
  sliceLength = SLICE_LENGTH,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < values.length; from += sliceLength) {
    if (from > 0) await nextEventLoopTurn();
    runs.push(values.slice(from, from + sliceLength).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare, sliceLength));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(left: T[], right: T[], compare: Compare<T>, sliceLength: number): Promise<T[]> {
  if (right.length === 0) return left;
  const merged: T[] = [];
  let [fromLeft, fromRight] = [0, 0];
  while (fromLeft < left.length || fromRight < right.length) {
    const takesLeft =
      fromRight === right.length ||
      (fromLeft < left.length && compare(left[fromLeft] as T, right[fromRight] as T) <= 0);
    merged.push((takesLeft ? left[fromLeft++] : right[fromRight++]) as T);
    if (merged.length % sliceLength === 0) await nextEventLoopTurn();
  }
  return merged;
}
