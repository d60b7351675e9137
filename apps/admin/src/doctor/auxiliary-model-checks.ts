import { describeError } from '@app/errors';
import {
  type AuxiliaryModelKind,
  pickOneAuxiliaryModelPerKind,
  type InstalledModel,
  listInstalledModels,
  InvalidModelError,
  partitionModelsByStoredCheckResult,
} from '@app/speech';
import { type Finding, createOkFinding, createProblemFinding, createWarningFinding } from './finding.js';

const FALLBACKS = {
  speech: 'found by volume, without a model',
  speakers: 'diarization without models',
  punctuation: 'from the engine, otherwise by rules',
  language: 'as reported by the engine',
};

/** @returns nothing else if the folder cannot be read, and nothing if a model is broken, which `models` reports */
export async function checkAuxiliaryModels(folder: string): Promise<Finding[]> {
  try {
    const installed = (await listInstalledModels(folder)).filter(({ kind }) => kind !== 'recognizer');
    const { usable: models, rejected } = await partitionModelsByStoredCheckResult(installed, folder);
    return [
      ...rejected.map(({ name, problem }) =>
        createWarningFinding(
          'unused model',
          `${name}: ${problem}`,
          `Remove it: npm run admin -- models remove ${name}.`,
        ),
      ),
      checkModel('speech', 'voice-activity', models),
      checkSpeakerModels(models),
      checkModel('punctuation', 'punctuation', models),
      checkModel('language', 'language', models),
    ];
  } catch (error) {
    if (error instanceof InvalidModelError) return [];
    return [
      createProblemFinding(
        'auxiliary models',
        describeError(error),
        `Make ${folder} readable, or set MODELS_DIR.`,
      ),
    ];
  }
}

function checkModel(
  name: keyof typeof FALLBACKS,
  kind: AuxiliaryModelKind,
  models: readonly InstalledModel[],
): Finding {
  const used = pickOneAuxiliaryModelPerKind(models).get(kind);
  return createOkFinding(name, used ? formatModelInUse(used, models) : FALLBACKS[name]);
}

function checkSpeakerModels(models: readonly InstalledModel[]): Finding {
  const used = pickOneAuxiliaryModelPerKind(models);
  const [segmentation, embedding] = [used.get('segmentation'), used.get('embedding')];
  if (segmentation && embedding)
    return createOkFinding(
      'speakers',
      `${formatModelInUse(segmentation, models)} with ${formatModelInUse(embedding, models)}`,
    );
  const alone = segmentation ?? embedding;
  if (!alone) return createOkFinding('speakers', FALLBACKS.speakers);
  const missing = segmentation ? 'embedding' : 'segmentation';
  const detail = `${FALLBACKS.speakers}: ${alone.name} is not used without a model of kind ${missing}`;
  return createWarningFinding('speakers', detail, 'Pull one: npm run admin -- models list.');
}

function formatModelInUse({ name, kind }: InstalledModel, models: readonly InstalledModel[]): string {
  const others = models.filter((each) => each.kind === kind && each.name !== name);
  return others.length === 0 ? name : `${name} (not ${others.map((other) => other.name).join(', ')})`;
}
