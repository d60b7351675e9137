import { describeError } from '@app/errors';
import { checkInstalledModel, getInstalledModel, type ModelCheck, type ModelCheckOptions } from '@app/speech';
import { formatSize } from '../../output.js';
import { readDialogue } from './read-dialogue.js';

export interface CheckedModel {
  name: string;
  /** Null if there was an obstacle, or the model is not used without another one that is missing. */
  check: ModelCheck | null;
  /** Why the check could not be made; null if it was. */
  obstacle: string | null;
}

export interface CheckModelsOptions extends Omit<ModelCheckOptions, 'dialogue'> {
  /** Called before the check of each model. */
  onCheck: (name: string) => void;
}

/** Auxiliary models first, because recognisers are checked together with those that work. */
export async function checkModels(
  names: readonly string[],
  { onCheck, ...options }: CheckModelsOptions,
): Promise<CheckedModel[]> {
  const dialogue = await readDialogue();
  const models = await Promise.all(names.map((name) => getInstalledModel(options.folder, name)));
  const isRecognizer = ({ kind }: { kind: string }) => kind === 'recognizer';
  const ordered = [...models.filter((model) => !isRecognizer(model)), ...models.filter(isRecognizer)];
  const checked: CheckedModel[] = [];
  for (const { name } of ordered) {
    onCheck(name);
    checked.push(
      await checkInstalledModel(name, { ...options, dialogue }).then(
        (check) => ({ name, check, obstacle: null }),
        (error: unknown) => {
          options.signal.throwIfAborted();
          return { name, check: null, obstacle: describeError(error) };
        },
      ),
    );
  }
  return checked;
}

/** One line. */
export function formatCheckedModel({ name, check, obstacle }: CheckedModel): string {
  if (obstacle !== null) return `${name} could not be checked: ${obstacle}`;
  if (!check)
    return `${name} is not used yet: models of speakers are used in pairs, segmentation and embedding.`;
  const figures = formatFigures(check);
  if (check.problem === null) return figures === '' ? `${name} works.` : `${name} works: ${figures}.`;
  return `${name} is NOT USED by default: ${check.problem}${figures === '' ? '' : ` (${figures})`}.`;
}

/** Empty if nothing was measured. */
export function formatFigures({ wordsRight, speakersRight, speed, memoryBytes }: ModelCheck): string {
  const toPercent = (share: number) => `${Math.floor(share * 100)} %`;
  return [
    ...(wordsRight === null ? [] : [`${toPercent(wordsRight)} of the words right`]),
    ...(speakersRight === null ? [] : [`${toPercent(speakersRight)} of the speakers right`]),
    ...(speed === null ? [] : [`${speed.toFixed(1)} times as fast as speech`]),
    ...(memoryBytes === null ? [] : [`${formatSize(memoryBytes)} of memory`]),
  ].join(', ');
}
