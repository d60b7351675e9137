import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describeError } from '@app/errors';
import { getPackageFolderUrl } from '@app/runtime';
import {
  checkModelAndSaveResult,
  getInstalledModel,
  type ModelCheckRecord,
  type ModelCheckOptions,
  type ReferenceDialogue,
} from '@app/speech';
import { formatSize } from '../../output.js';

export interface ModelCheckOutcome {
  name: string;
  /** Null if there was an obstacle, or the model is not used without another one that is missing. */
  check: ModelCheckRecord | null;
  /** Why the check could not be made; null if it was. */
  obstacle: string | null;
}

export interface CheckModelsOptions extends Omit<ModelCheckOptions, 'dialogue'> {
  /** Called before the check of each model. */
  onCheck: (name: string) => void;
}

/** Auxiliary models first, because recognisers are checked together with those that work. */
export async function checkModelsOnSampleAndSaveResults(
  names: readonly string[],
  { onCheck, ...options }: CheckModelsOptions,
): Promise<ModelCheckOutcome[]> {
  const dialogue = await loadSampleDialogue();
  const models = await Promise.all(names.map((name) => getInstalledModel(options.folder, name)));
  const isRecognizer = ({ kind }: { kind: string }) => kind === 'recognizer';
  const ordered = [...models.filter((model) => !isRecognizer(model)), ...models.filter(isRecognizer)];
  const checked: ModelCheckOutcome[] = [];
  for (const { name } of ordered) {
    onCheck(name);
    checked.push(
      await checkModelAndSaveResult(name, { ...options, dialogue }).then(
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

/** Whether the model is known to work, or waits for another one. */
export function hasPassedOrWaits({ check, obstacle }: ModelCheckOutcome): boolean {
  return (obstacle ?? check?.problem ?? null) === null;
}

/** One line. */
export function formatModelCheckOutcome({ name, check, obstacle }: ModelCheckOutcome): string {
  if (obstacle !== null) return `${name} could not be checked: ${obstacle}`;
  if (!check)
    return `${name} is not used yet: models of speakers are used in pairs, segmentation and embedding.`;
  const figures = formatModelCheckFigures(check);
  if (check.problem === null) return figures === '' ? `${name} works.` : `${name} works: ${figures}.`;
  return `${name} is NOT USED by default: ${check.problem}${figures === '' ? '' : ` (${figures})`}.`;
}

/** Empty if nothing was measured. */
export function formatModelCheckFigures({
  wordsRight,
  speakersRight,
  speed,
  memoryBytes,
}: ModelCheckRecord): string {
  const toPercent = (share: number) => `${Math.floor(share * 100)} %`;
  return [
    ...(wordsRight === null ? [] : [`${toPercent(wordsRight)} of the words right`]),
    ...(speakersRight === null ? [] : [`${toPercent(speakersRight)} of the speakers right`]),
    ...(speed === null ? [] : [`${speed.toFixed(1)} times as fast as speech`]),
    ...(memoryBytes === null ? [] : [`${formatSize(memoryBytes)} of memory`]),
  ].join(', ');
}

/** The bundled recording with its text. */
async function loadSampleDialogue(): Promise<ReferenceDialogue> {
  const folder = new URL('assets/sample/', getPackageFolderUrl());
  const { audio, turns } = JSON.parse(await readFile(new URL('dialogue.json', folder), 'utf8')) as {
    audio: string;
    turns: ReferenceDialogue['turns'];
  };
  return { path: fileURLToPath(new URL(audio, folder)), language: 'en', turns };
}
