import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineUnavailableError } from '../engine.js';
import {
  locateRequiredTool,
  type ExternalTool,
  ToolFailedError,
  type ToolLimits,
  ToolMissingError,
} from '../../tool/tool.js';
import { runTool } from '../../tool/run-tool.js';

export interface EnglishModelPaths {
  acoustic: string;
  language: string;
  dictionary: string;
}

export function toEnglishModelPathArray({ acoustic, language, dictionary }: EnglishModelPaths): string[] {
  return [acoustic, language, dictionary];
}

/** Debian, Homebrew (both Mac architectures) and manual installations. */
const MODEL_FOLDERS = ['/usr', '/opt/homebrew', '/usr/local'].map((root) =>
  join(root, 'share/pocketsphinx/model/en-us'),
);

/** @param folder overrides the default folders */
export async function findEnglishModel(folder?: string): Promise<EnglishModelPaths | null> {
  for (const candidate of folder === undefined ? MODEL_FOLDERS : [folder]) {
    const model = modelPaths(candidate);
    const files = [join(model.acoustic, 'mdef'), model.language, model.dictionary];
    const present = await Promise.all(files.map(exists));
    if (present.every(Boolean)) return model;
  }
  return null;
}

function modelPaths(folder: string): EnglishModelPaths {
  return {
    acoustic: join(folder, 'en-us'),
    language: join(folder, 'en-us.lm.bin'),
    dictionary: join(folder, 'cmudict-en-us.dict'),
  };
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

export const POCKETSPHINX_TOOL: ExternalTool = {
  name: 'pocketsphinx_batch',
  install:
    'Install it with `apt install pocketsphinx pocketsphinx-en-us` (Debian, Ubuntu) or `brew install cmu-pocketsphinx` (macOS).',
};

/**
 * Huge pages: the search accesses its models randomly, and TLB misses took a tenth of the time. C libraries other than
 * glibc ignore the variable.
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

/** Limits for a chunk of this duration; generous, because the machine may be overloaded. */
export function buildToolLimitsForChunk(seconds: number): ToolLimits {
  return {
    memoryBytes: 1024 * MEBIBYTE,
    cpuSeconds: 60 + 10 * seconds,
    fileBytes: 4 * MEBIBYTE,
    wallSeconds: 120 + 20 * seconds,
  };
}

/**
 * A process is replaced after this much audio, which bounds leaks. Loading a model costs as much as two seconds of audio,
 * so the effect on speed is negligible.
 */
export const REPLACE_PROCESS_AFTER_AUDIO_SECONDS = 1800;

/** Limits over the lifetime of a pooled process; each utterance has its own timeout. */
export function buildToolLimitsForPooledProcess(): ToolLimits {
  // It only writes to a pipe. Idle processes end much earlier.
  return {
    ...buildToolLimitsForChunk(REPLACE_PROCESS_AFTER_AUDIO_SECONDS),
    fileBytes: 0,
    wallSeconds: 24 * 3600,
  };
}

/**
 * Newer versions print no flags when started without arguments.
 * @throws ToolMissingError, ToolTimeoutError; the reason of the abort
 */
export async function listPocketsphinxFlags(signal: AbortSignal): Promise<Set<string>> {
  const run = {
    tool: POCKETSPHINX_TOOL,
    args: [],
    limits: PROBE_LIMITS,
    signal,
    stderrBytes: MAX_FLAG_LIST_BYTES,
  };
  try {
    return parseFlags((await runTool(run)).toString('latin1'));
  } catch (error) {
    // Without arguments it exits with an error and prints the flags to stderr.
    if (error instanceof ToolFailedError && error.exitCode !== null) return parseFlags(error.stderrTail);
    throw error;
  }
}

function parseFlags(text: string): Set<string> {
  return new Set([...text.matchAll(/^(-\w+)\s/gm)].map(([, flag = '']) => flag));
}

export const ENGINE_NAME = 'pocketsphinx';

export interface PocketsphinxModelAndSupportedFlags {
  model: EnglishModelPaths;
  flags: ReadonlySet<string>;
}

/**
 * @param modelFolder overrides the default folders
 * @throws EngineUnavailableError that names what to install; the reason of the abort
 */
export async function locatePocketsphinxModelAndSupportedFlags(
  signal: AbortSignal,
  modelFolder?: string,
): Promise<PocketsphinxModelAndSupportedFlags> {
  const model = await findEnglishModel(modelFolder);
  const flags = await readFlags(signal);
  if (!model)
    throw new EngineUnavailableError(
      ENGINE_NAME,
      `its English model is missing. ${POCKETSPHINX_TOOL.install}`,
    );
  return { model, flags };
}

async function readFlags(signal: AbortSignal): Promise<ReadonlySet<string>> {
  try {
    await locateRequiredTool(POCKETSPHINX_TOOL);
    return await listPocketsphinxFlags(signal);
  } catch (error) {
    if (error instanceof ToolMissingError)
      throw new EngineUnavailableError(ENGINE_NAME, error.message, { cause: error });
    throw error;
  }
}
