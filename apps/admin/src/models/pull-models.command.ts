import { type Config, loadConfig, modelsFolder } from '@app/config';
import { CATALOGUE, type CatalogueModel } from '@app/speech';
import { Option, SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { progressOn } from './pull/progress.js';
import { Unreachable } from './pull/pull-failed.js';
import { type Bring, pullModel } from './pull/pull-model.js';
import { fromFolder, fromNetwork, mirrored } from './pull/sources.js';
import { sizeText } from './size-text.js';

interface PullOptions extends JsonOption {
  from?: string;
  mirror?: string;
}

@SubCommand({
  name: 'pull',
  arguments: '<names...>',
  description: 'download models; resumes an interrupted download',
})
export class PullModelsCommand extends JsonCommand {
  async run(names: string[], options: PullOptions): Promise<void> {
    const config = loadConfig();
    const folder = modelsFolder(config);
    const models = names.map(named);
    const results: { name: string; fetched: boolean }[] = [];
    for (const model of models) {
      const bring = await sourceOf(model, options, config);
      const fetched = await pullModel(model, { folder, bring, signal: interruption(), tell }).catch(
        (error: unknown) => {
          if (!(error instanceof Unreachable)) throw error;
          throw new CommandRefused(`${error.message} ${byHand(model, mirrorOf(options, config))}`);
        },
      );
      results.push({ name: model.name, fetched });
    }
    print(options, { folder, models: results }, () => results.map(line).join('\n'));
  }

  @Option({ flags: '--from <folder>', description: 'take the files from this folder instead of the network' })
  parseFrom(folder: string): string {
    return folder;
  }

  @Option({
    flags: '--mirror <url>',
    description: 'download from this server, under the same paths',
  })
  parseMirror(url: string): string {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new CommandRefused('--mirror takes an address that begins with http:// or https://.');
    return url;
  }
}

function named(name: string): CatalogueModel {
  const model = CATALOGUE.find((candidate) => candidate.name === name);
  if (!model) throw new CommandRefused(`There is no model ${name} to download: see \`models list\`.`);
  return model;
}

async function sourceOf(model: CatalogueModel, options: PullOptions, config: Config): Promise<Bring> {
  if (options.from !== undefined) return fromFolder(options.from, model);
  return fromNetwork(mirrorOf(options, config), progressOn(process.stderr));
}

function mirrorOf({ mirror }: PullOptions, { speech }: Config): string | undefined {
  return mirror ?? speech.modelsMirror;
}

function byHand({ name, files }: CatalogueModel, mirror: string | undefined): string {
  const list = files.map(({ url, bytes }) => `  ${mirrored(url, mirror)} (${sizeText(bytes)})`);
  return [
    'Check the network, HTTPS_PROXY or --mirror; or bring these files from a machine that has a network:',
    ...list,
    `into one folder, under the last part of their addresses, and run: npm run admin -- models pull ${name} --from FOLDER`,
  ].join('\n');
}

/** Ctrl-C leaves what came, so that the next pull goes on from there, and nobody waiting. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () =>
    controller.abort(new CommandRefused('Interrupted; the next pull resumes from here.')),
  );
  return controller.signal;
}

function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

function line({ name, fetched }: { name: string; fetched: boolean }): string {
  return fetched ? `${name} is installed.` : `${name} was installed already.`;
}
