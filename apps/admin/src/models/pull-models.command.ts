import { loadConfig, resolveModelsFolder } from '@app/config';
import { MODEL_CATALOGUE, type CatalogueModel } from '@app/speech';
import { SubCommand } from 'nest-commander';
import { WithOptions, OperatorCommand } from '../operator-command.js';
import { CommandError, formatSize, type JsonOption, printResult } from '../output.js';
import { createDownloadProgress } from './pull/download-progress.js';
import { ServerUnreachableError } from './pull/model-pull-errors.js';
import { pullModel } from './pull/pull-model.js';
import { createFolderSource, createNetworkSource, toMirrorUrl } from './pull/model-file-sources.js';

interface PullOptions extends JsonOption {
  from?: string;
  mirror?: string;
}

@SubCommand({
  name: 'pull',
  arguments: '<names...>',
  description: 'download models; resumes an interrupted download',
})
@WithOptions(
  { flags: '--from <folder>', description: 'take the files from this folder instead of the network' },
  {
    flags: '--mirror <url>',
    description: 'download from this server, under the same paths',
    parse: parseMirror,
  },
)
export class PullModelsCommand extends OperatorCommand {
  async run(names: string[], options: PullOptions): Promise<void> {
    const config = loadConfig();
    const folder = resolveModelsFolder(config);
    const models = names.map(findCatalogueModel);
    const results: { name: string; fetched: boolean }[] = [];
    for (const model of models) {
      const mirror = options.mirror ?? config.speech.modelsMirror;
      const fetchFile =
        options.from === undefined
          ? createNetworkSource(mirror, createDownloadProgress(process.stderr))
          : await createFolderSource(options.from, model);
      const fetched = await pullModel(model, {
        folder,
        fetchFile,
        signal: abortOnInterrupt(),
        log: printLine,
      }).catch((error: unknown) => {
        if (!(error instanceof ServerUnreachableError)) throw error;
        throw new CommandError(`${error.message} ${manualDownloadAdvice(model, mirror)}`);
      });
      results.push({ name: model.name, fetched });
    }
    printResult(options, { folder, models: results }, () => results.map(formatResult).join('\n'));
  }
}

function parseMirror(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError('--mirror takes an address that begins with http:// or https://.');
  return url;
}

function findCatalogueModel(name: string): CatalogueModel {
  const model = MODEL_CATALOGUE.find((candidate) => candidate.name === name);
  if (!model) throw new CommandError(`There is no model ${name} to download: see \`models list\`.`);
  return model;
}

function manualDownloadAdvice({ name, files }: CatalogueModel, mirror: string | undefined): string {
  const list = files.map(({ url, bytes }) => `  ${toMirrorUrl(url, mirror)} (${formatSize(bytes)})`);
  return [
    'Check the network, HTTPS_PROXY or --mirror; or bring these files from a machine that has a network:',
    ...list,
    `into one folder, under the last part of their addresses, and run: npm run admin -- models pull ${name} --from FOLDER`,
  ].join('\n');
}

/** Ctrl-C keeps the downloaded parts, so that the next pull resumes. */
function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () =>
    controller.abort(new CommandError('Interrupted; the next pull resumes from here.')),
  );
  return controller.signal;
}

function printLine(text: string): void {
  process.stderr.write(`${text}\n`);
}

function formatResult({ name, fetched }: { name: string; fetched: boolean }): string {
  return fetched ? `${name} is installed.` : `${name} was installed already.`;
}
