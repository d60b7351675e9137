import { runTool } from '../../tool/run-tool.js';
import { type Tool, ToolFailedError } from '../../tool/tool-errors.js';
import type { ToolLimits } from '../../tool/tool-limits.js';

export const POCKETSPHINX: Tool = {
  name: 'pocketsphinx_batch',
  install:
    'Install it with `apt install pocketsphinx pocketsphinx-en-us` (Debian, Ubuntu) or `brew install cmu-pocketsphinx` (macOS).',
};

/**
 * Memory in pages of 2 MiB where the system has them: the search goes all over its models, and looking up where so many
 * small pages are took a tenth of its time. Other C libraries than GNU's do not know the variable.
 */
export const HUGE_PAGES_ENV = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' };

const MEBIBYTE = 1024 * 1024;
const PROBE_LIMITS: ToolLimits = {
  memoryBytes: 512 * MEBIBYTE,
  cpuSeconds: 10,
  fileBytes: 0,
  wallSeconds: 30,
};
const MAX_FLAG_LIST_BYTES = 64 * 1024;

/** What a chunk of so many seconds may cost; far above what it does cost, so that a busy machine passes. */
export function chunkLimits(seconds: number): ToolLimits {
  return {
    memoryBytes: 1024 * MEBIBYTE,
    cpuSeconds: 60 + 10 * seconds,
    fileBytes: 4 * MEBIBYTE,
    wallSeconds: 120 + 20 * seconds,
  };
}

/**
 * Seconds of sound that a process which is kept hears at most; then another takes its place. Loading the model costs
 * what two seconds of sound do, so this makes no difference to the speed, and bounds what a process may use or leak.
 */
export const MAX_PROCESS_AUDIO_SECONDS = 1800;

/** What a process that is kept may use in all; each utterance has a limit of time of its own. */
export function processLimits(): ToolLimits {
  // It writes into a pipe only, and ends long before a day is over: soon when it is idle.
  return { ...chunkLimits(MAX_PROCESS_AUDIO_SECONDS), fileBytes: 0, wallSeconds: 24 * 3600 };
}

/**
 * The flags that the installed program lists when it is started without any; empty when it lists none, as
 * newer ones do. Throws `ToolMissingError`, `ToolTimeoutError` or the reason of the abort.
 */
export async function listFlags(signal: AbortSignal): Promise<Set<string>> {
  const run = {
    tool: POCKETSPHINX,
    args: [],
    limits: PROBE_LIMITS,
    signal,
    stderrBytes: MAX_FLAG_LIST_BYTES,
  };
  try {
    return parseFlags((await runTool(run)).toString('latin1'));
  } catch (error) {
    // Without arguments it ends with an error, which is the list.
    if (error instanceof ToolFailedError && error.exitCode !== null) return parseFlags(error.stderrTail);
    throw error;
  }
}

function parseFlags(text: string): Set<string> {
  return new Set([...text.matchAll(/^(-\w+)\s/gm)].map(([, flag = '']) => flag));
}
