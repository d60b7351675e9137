/** Names of the words of one stretch as the engine prints them: no word of the dictionary has a colon. */
export function wordName(index: number): string {
  return `said:${index}`;
}

/** The number in such a name, whatever pronunciation was heard; null for silence and noise. */
export function wordIndex(name: string): number | null {
  const [, index] = /^said:(\d+)(?:\(\d+\))?$/.exec(name) ?? [];
  return index === undefined ? null : Number(index);
}

/**
 * A grammar, in the engine's own format, in which the words from number `first` on can only be said in their order.
 * Silence between them is the engine's to add.
 */
export function wordGraph(first: number, count: number): string {
  const steps = Array.from(
    { length: count },
    (_, at) => `TRANSITION ${at} ${at + 1} 1.0 ${wordName(first + at)}`,
  );
  return [
    'FSG_BEGIN <stretch>',
    `NUM_STATES ${count + 1}`,
    'START_STATE 0',
    `FINAL_STATE ${count}`,
    ...steps,
    'FSG_END',
    '',
  ].join('\n');
}
