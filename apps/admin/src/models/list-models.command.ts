import { loadConfig, resolveModelsFolder } from '@app/config';
import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { type JsonOption, printResult, formatTable } from '../output.js';
import { type ModelState, loadModelStates } from './model-states.js';
import { formatSize } from './format-size.js';

@SubCommand({ name: 'list', description: 'list available and installed models' })
export class ListModelsCommand extends JsonCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const states = await loadModelStates(resolveModelsFolder(loadConfig()));
    printResult(options, states.map(toModelRow), () =>
      formatTable(
        ['MODEL', 'FOR', 'LANGUAGES', 'SIZE', 'LICENCE', 'STATE', 'ABOUT'],
        states
          .map(toModelRow)
          .map((model) => [
            model.name,
            model.kind ?? '-',
            shortLanguages(model.languages),
            model.bytes === null ? '-' : formatSize(model.bytes),
            model.licence ?? '-',
            model.state,
            model.about ?? '-',
          ]),
      ),
    );
  }
}

function toModelRow({ name, listed, installed, broken }: ModelState) {
  const known = listed ?? installed;
  return {
    name,
    kind: known?.kind ?? null,
    family: known?.family ?? null,
    languages: known?.languages ?? null,
    licence: listed?.licence ?? null,
    bytes: listed?.files.reduce((sum, { bytes }) => sum + bytes, 0) ?? null,
    files: listed?.files ?? null,
    state: broken === null ? (installed ? 'installed' : 'available') : 'broken',
    problem: broken,
    about: listed?.about ?? null,
  };
}

const MAX_LANGUAGES_SHOWN = 5;

function shortLanguages(languages: string[] | 'any' | null): string {
  if (languages === null || languages === 'any') return languages ?? '-';
  return languages.length > MAX_LANGUAGES_SHOWN ? `${languages.length} languages` : languages.join(' ');
}
