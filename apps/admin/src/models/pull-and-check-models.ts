import { join } from 'node:path';
import { type CatalogueModel, readModelCheck } from '@app/speech';
import { CommandError, formatSize } from '../output.js';
import {
  type ModelCheckOutcome,
  checkModelsOnSampleAndSaveResults,
  type CheckModelsOptions,
  formatModelCheckOutcome,
} from './check/check-models.js';
import { createDownloadProgressReporter } from './pull/download-progress.js';
import { ServerUnreachableError } from './pull/model-pull-errors.js';
import {
  createFolderModelFileFetcher,
  createNetworkModelFileDownloader,
  toMirrorUrl,
} from './pull/model-file-sources.js';
import { pullModelIfNotInstalled } from './pull/pull-model.js';

export interface PullAndCheckOptions extends Omit<CheckModelsOptions, 'onCheck'> {
  models: readonly CatalogueModel[];
  mirror?: string | undefined;
  /** A folder instead of the network. */
  from?: string | undefined;
  unchecked?: boolean | undefined;
}

export interface PullAndCheckResult {
  pulled: { name: string; fetched: boolean }[];
  checked: ModelCheckOutcome[];
}

/** Shows the progress on stderr. @throws CommandError if no server answers; ModelPullError; the reason of the signal */
export async function pullAndCheckModels(request: PullAndCheckOptions): Promise<PullAndCheckResult> {
  const { models, mirror, from, unchecked, ...options } = request;
  const pulled: PullAndCheckResult['pulled'] = [];
  for (const model of models) {
    const fetchFile =
      from === undefined
        ? createNetworkModelFileDownloader(mirror, createDownloadProgressReporter(process.stderr))
        : await createFolderModelFileFetcher(from, model);
    const fetched = await pullModelIfNotInstalled(model, {
      folder: options.folder,
      fetchFile,
      signal: options.signal,
      log: printLine,
    }).catch((error: unknown) => {
      if (!(error instanceof ServerUnreachableError)) throw error;
      throw new CommandError(`${error.message} ${manualDownloadAdvice(model, mirror)}`);
    });
    pulled.push({ name: model.name, fetched });
  }
  return { pulled, checked: unchecked ? [] : await checkThoseWithoutResult(models, options) };
}

/** One line for each model, then one for each check. */
export function formatPullAndCheckResult({ pulled, checked }: PullAndCheckResult): string {
  const installed = pulled.map(({ name, fetched }) =>
    fetched ? `${name} is installed.` : `${name} was installed already.`,
  );
  return [...installed, ...checked.map(formatModelCheckOutcome)].join('\n');
}

/** For `--json`; `check` and `obstacle` are null for models that were not checked now. */
export function listPulledModelsWithChecks({ pulled, checked }: PullAndCheckResult) {
  const outcomes = new Map(checked.map((outcome) => [outcome.name, outcome]));
  return pulled.map((model) => {
    const { check = null, obstacle = null } = outcomes.get(model.name) ?? {};
    return { ...model, check, obstacle };
  });
}

async function checkThoseWithoutResult(
  models: readonly CatalogueModel[],
  options: Omit<CheckModelsOptions, 'onCheck'>,
): Promise<ModelCheckOutcome[]> {
  const names: string[] = [];
  for (const { name } of models)
    if ((await readModelCheck(join(options.folder, name))) === null) names.push(name);
  const onCheck = (name: string) => printLine(`Checking ${name} with the bundled dialogue ...`);
  return checkModelsOnSampleAndSaveResults(names, { ...options, onCheck });
}

function manualDownloadAdvice({ name, files }: CatalogueModel, mirror: string | undefined): string {
  const list = files.map(({ url, bytes }) => `  ${toMirrorUrl(url, mirror)} (${formatSize(bytes)})`);
  return [
    'Check the network, HTTPS_PROXY or --mirror; or bring these files from a machine that has a network:',
    ...list,
    `into one folder, under the last part of their URLs, and run: npm run admin -- models pull ${name} --from FOLDER`,
  ].join('\n');
}

function printLine(text: string): void {
  process.stderr.write(`${text}\n`);
}
