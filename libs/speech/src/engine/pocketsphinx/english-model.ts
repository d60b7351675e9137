import { access } from 'node:fs/promises';
import { join } from 'node:path';

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
