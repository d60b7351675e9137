import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineUnavailableError } from '../engine.js';
import { findTool, type Tool, ToolFailedError, type ToolLimits, ToolMissingError } from '../../tool/tool.js';
import { runTool } from '../../tool/run-tool.js';

/** The files of the US English model. */
export interface EnglishModel {
  acoustic: string;
  language: string;
  dictionary: string;
}

/** Every file and folder of the model, for the program that reads it. */
export function modelFiles({ acoustic, language, dictionary }: EnglishModel): string[] {
  return [acoustic, language, dictionary];
}

/** Where the packages of Debian, Homebrew (both kinds of Mac) and a hand-made installation put it. */
const MODEL_FOLDERS = ['/usr', '/opt/homebrew', '/usr/local'].map((root) =>
  join(root, 'share/pocketsphinx/model/en-us'),
);

/** The installed model, or null. `folder` replaces the usual places. */
export async function findEnglishModel(folder?: string): Promise<EnglishModel | null> {
  for (const candidate of folder === undefined ? MODEL_FOLDERS : [folder]) {
    const model = modelPaths(candidate);
    const files = [join(model.acoustic, 'mdef'), model.language, model.dictionary];
    const present = await Promise.all(files.map(exists));
    if (present.every(Boolean)) return model;
  }
  return null;
}

function modelPaths(folder: string): EnglishModel {
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

export const ENGINE_NAME = 'pocketsphinx';

/** What there is of the programs and their model. */
export interface PocketsphinxInstallation {
  model: EnglishModel;
  /** The flags that the installed program knows. */
  flags: ReadonlySet<string>;
}

/**
 * The installed programs and the English model; `modelFolder` replaces the usual places.
 *
 * Throws `EngineUnavailableError` telling what to install, or the reason of the abort.
 */
export async function locateInstallation(
  signal: AbortSignal,
  modelFolder?: string,
): Promise<PocketsphinxInstallation> {
  const model = await findEnglishModel(modelFolder);
  const flags = await readFlags(signal);
  if (!model)
    throw new EngineUnavailableError(ENGINE_NAME, `its English model is missing. ${POCKETSPHINX.install}`);
  return { model, flags };
}

async function readFlags(signal: AbortSignal): Promise<ReadonlySet<string>> {
  try {
    await findTool(POCKETSPHINX);
    return await listFlags(signal);
  } catch (error) {
    if (error instanceof ToolMissingError)
      throw new EngineUnavailableError(ENGINE_NAME, error.message, { cause: error });
    throw error;
  }
}
