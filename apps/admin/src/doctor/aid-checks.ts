import {
  type AuxiliaryModelKind,
  selectAuxiliaryModels,
  type InstalledModel,
  listInstalledModels,
  InvalidModelError,
} from '@app/speech';
import { type Finding, ok, warning } from './finding.js';

/** What is done where no model for it is installed. */
const WITHOUT = {
  speech: 'found by volume, without a model',
  speakers: 'diarization without models',
  punctuation: 'from the engine, otherwise by rules',
  language: 'as reported by the engine',
};

/**
 * Which models beside the engine are used, and what is done without one. Says nothing where a model is broken: no
 * processor starts then.
 * @param folder of models
 */
export async function aidChecks(folder: string): Promise<Finding[]> {
  try {
    const models = await listInstalledModels(folder);
    return [
      oneModel('speech', 'voice-activity', models),
      speakers(models),
      oneModel('punctuation', 'punctuation', models),
      oneModel('language', 'language', models),
    ];
  } catch (error) {
    if (error instanceof InvalidModelError) return [];
    throw error;
  }
}

function oneModel(
  name: keyof typeof WITHOUT,
  kind: AuxiliaryModelKind,
  models: readonly InstalledModel[],
): Finding {
  const used = selectAuxiliaryModels(models).get(kind);
  return ok(name, used ? inUse(used, models) : WITHOUT[name]);
}

/** Needs two models. */
function speakers(models: readonly InstalledModel[]): Finding {
  const used = selectAuxiliaryModels(models);
  const [segmentation, embedding] = [used.get('segmentation'), used.get('embedding')];
  if (segmentation && embedding)
    return ok('speakers', `${inUse(segmentation, models)} with ${inUse(embedding, models)}`);
  const alone = segmentation ?? embedding;
  if (!alone) return ok('speakers', WITHOUT.speakers);
  const missing = segmentation ? 'embedding' : 'segmentation';
  const detail = `${WITHOUT.speakers}: ${alone.name} is not used without a model of kind ${missing}`;
  return warning('speakers', detail, 'Pull one: npm run admin -- models list.');
}

function inUse({ name, kind }: InstalledModel, models: readonly InstalledModel[]): string {
  const others = models.filter((each) => each.kind === kind && each.name !== name);
  return others.length === 0 ? name : `${name} (not ${others.map((other) => other.name).join(', ')})`;
}
