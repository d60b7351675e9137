import type { OptionValues } from '../command.js';

const CONTINUE = 'Run the same command again to continue';

/** @returns nothing for standard input, which cannot be read again */
export function adviseAfterInterruption(positionals: readonly string[], options: OptionValues): string {
  if (positionals.includes('-')) return '';
  if (options['overwrite'] !== true) return `${CONTINUE}.`;
  return `${CONTINUE}, without the files that are done: --overwrite would transcribe and charge them again.`;
}
