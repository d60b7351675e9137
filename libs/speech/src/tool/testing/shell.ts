import { execFileSync } from 'node:child_process';
import type { ToolRunOptions } from '../sandboxed-process.js';
import type { ToolLimits } from '../tool.js';

export const SHELL_LIMITS = {
  memoryBytes: 256 * 1024 * 1024,
  cpuSeconds: 20,
  fileBytes: 4096,
  wallSeconds: 20,
};

interface ShellOptions {
  signal?: AbortSignal;
  limits?: Partial<ToolLimits>;
  reads?: string[];
  folder?: string;
  env?: Record<string, string>;
}

/** A run of a few lines of shell. */
export function buildShellToolRun(
  script: string,
  { signal, limits, ...others }: ShellOptions = {},
): ToolRunOptions {
  return {
    tool: { name: '/bin/sh', install: 'Part of every system.' },
    args: ['-c', script],
    limits: { ...SHELL_LIMITS, ...limits },
    signal: signal ?? new AbortController().signal,
    ...others,
  };
}

/** What the work throws; undefined when it does well. */
export function catchRejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Command lines of the processes that hold the text. */
export function findProcessCommandLines(text: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(text));
}
