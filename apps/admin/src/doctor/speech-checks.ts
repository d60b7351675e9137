import { type Config, resolveModelsFolder } from '@app/config';
import { describeError } from '@app/errors';
import { createEngine, findMissingG2pPrograms, PocketsphinxAligner } from '@app/speech';
import { loadModelStates } from '../models/model-states.js';
import { type Finding, ok, problem, runCheck, warning } from './finding.js';

export async function runSpeechChecks(
  config: Config,
  aligner = new PocketsphinxAligner(),
): Promise<Finding[]> {
  return [
    await runCheck('engine', 'Follow this message, or choose another ENGINE.', () => checkEngine(config)),
    await runCheck('models', 'Check MODELS_DIR.', () => checkModels(config)),
    ...(await checkAlignment(config, aligner)),
    await checkVocabulary(),
  ];
}

async function checkEngine(config: Config): Promise<Finding> {
  const chosen = await createEngine({
    ...config.speech,
    modelsDir: resolveModelsFolder(config),
    maxConcurrentChunks: 1,
  });
  try {
    await chosen.check();
    const { name, model } = await chosen.identity();
    return ok('engine', `${name}, model ${model ?? 'unknown'}`);
  } finally {
    await chosen.close();
  }
}

/** Compares the sizes of files, not their checksums. */
async function checkModels(config: Config): Promise<Finding> {
  const folder = resolveModelsFolder(config);
  const states = await loadModelStates(folder);
  const broken = states.filter((state) => state.broken !== null);
  if (broken.length > 0) {
    const [first] = broken;
    return problem('models', first?.broken ?? '', 'Run `models verify`.');
  }
  const names = states.filter(({ installed }) => installed).map(({ name }) => name);
  return ok('models', names.length === 0 ? `none in ${folder}` : `${names.join(', ')} in ${folder}`);
}

/** Other engines use the programs of pocketsphinx for custom terms and missing word times. */
async function checkAlignment({ speech }: Config, aligner: PocketsphinxAligner): Promise<Finding[]> {
  if (speech.engine === 'pocketsphinx') return [];
  const consequence = 'word times and custom terms are not aligned with the audio (English)';
  return [
    await aligner.check().then(
      () => ok('word times', 'word times and custom terms are aligned with the audio (English)'),
      (error: unknown) => warning('word times', consequence, describeError(error)),
    ),
  ];
}

/** Every engine needs these programs for custom terms. */
async function checkVocabulary(): Promise<Finding> {
  const missing = await findMissingG2pPrograms();
  if (missing.length === 0) return ok('vocabulary', 'pronunciations of new words are generated');
  const names = missing.map(({ name }) => name).join(', ');
  const advice = missing.map(({ install }) => install).join(' ');
  return warning('vocabulary', `missing: ${names}; fewer custom terms are recognised`, advice);
}
