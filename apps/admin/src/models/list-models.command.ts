import { loadConfig, modelsFolder } from '@app/config';
import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { type JsonOption, print, table } from '../output.js';
import { type ModelState, modelStates } from './model-states.js';
import { sizeText } from './size-text.js';

@SubCommand({ name: 'list', description: 'list available and installed models' })
export class ListModelsCommand extends JsonCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const states = await modelStates(modelsFolder(loadConfig()));
    print(options, states.map(row), () =>
      table(
        ['MODEL', 'FOR', 'LANGUAGES', 'SIZE', 'LICENCE', 'STATE', 'ABOUT'],
        states
          .map(row)
          .map((model) => [
            model.name,
            model.kind ?? '-',
            shortLanguages(model.languages),
            model.bytes === null ? '-' : sizeText(model.bytes),
            model.licence ?? '-',
            model.state,
            model.about ?? '-',
          ]),
      ),
    );
  }
}

function row({ name, listed, installed, broken }: ModelState) {
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

const FEW = 5;

function shortLanguages(languages: string[] | 'any' | null): string {
  if (languages === null || languages === 'any') return languages ?? '-';
  return languages.length > FEW ? `${languages.length} languages` : languages.join(' ');
}
