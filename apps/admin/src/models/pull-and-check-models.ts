import { join } from 'node:path';
import { type CatalogueModel, readModelCheck } from '@app/speech';
import { CommandError, formatSize } from '../output.js';
import {
  type CheckedModel,
  checkModels,
  type CheckModelsOptions,
  formatCheckedModel,
} from './check/check-models.js';
import { createDownloadProgress } from './pull/download-progress.js';
import { ServerUnreachableError } from './pull/model-pull-errors.js';
import { createFolderSource, createNetworkSource, toMirrorUrl } from './pull/model-file-sources.js';
import { pullModel } from './pull/pull-model.js';

export interface PullRequest extends Omit<CheckModelsOptions, 'onCheck'> {
  models: readonly CatalogueModel[];
  mirror?: string | undefined;
  /** A folder instead of the network. */
  from?: string | undefined;
  unchecked?: boolean | undefined;
}

export interface PulledModels {
  pulled: { name: string; fetched: boolean }[];
  checked: CheckedModel[];
}

/** Shows the progress on stderr. @throws CommandError if no server answers; ModelPullError; the reason of the signal */
export async function pullAndCheckModels(request: PullRequest): Promise<PulledModels> {
  const { models, mirror, from, unchecked, ...options } = request;
  const pulled: PulledModels['pulled'] = [];
  for (const model of models) {
    const fetchFile =
      from === undefined
        ? createNetworkSource(mirror, createDownloadProgress(process.stderr))
        : await createFolderSource(from, model);
    const fetched = await pullModel(model, {
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
export function formatPulledModels({ pulled, checked }: PulledModels): string {
  const installed = pulled.map(({ name, fetched }) =>
    fetched ? `${name} is installed.` : `${name} was installed already.`,
  );
  return [...installed, ...checked.map(formatCheckedModel)].join('\n');
}

async function checkThoseWithoutResult(
  models: readonly CatalogueModel[],
  options: Omit<CheckModelsOptions, 'onCheck'>,
): Promise<CheckedModel[]> {
  const names: string[] = [];
  for (const { name } of models)
    if ((await readModelCheck(join(options.folder, name))) === null) names.push(name);
  const onCheck = (name: string) => printLine(`Checking ${name} with the bundled dialogue ...`);
  return checkModels(names, { ...options, onCheck });
}

function manualDownloadAdvice({ name, files }: CatalogueModel, mirror: string | undefined): string {
  const list = files.map(({ url, bytes }) => `  ${toMirrorUrl(url, mirror)} (${formatSize(bytes)})`);
  return [
    'Check the network, HTTPS_PROXY or --mirror; or bring these files from a machine that has a network:',
    ...list,
    `into one folder, under the last part of their addresses, and run: npm run admin -- models pull ${name} --from FOLDER`,
  ].join('\n');
}

function printLine(text: string): void {
  process.stderr.write(`${text}\n`);
}
