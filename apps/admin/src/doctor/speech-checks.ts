import { join } from 'node:path';
import { type Config, resolveEngineChoiceSettings, resolveModelsFolder } from '@app/config';
import { describeError } from '@app/errors';
import {
  chooseEngineForInstallation,
  createEngine,
  probeExecutionProvider,
  type EngineChoice,
  findMissingG2pPrograms,
  formatImprovement,
  formatExecutionProviderProblemsAndAdvice,
  listNvidiaDeviceFileNames,
  loadCatalogue,
  PocketsphinxAligner,
  type ProviderLookupOptions,
  readModelCheck,
} from '@app/speech';
import { formatModelCheckFigures } from '../models/check/check-models.js';
import { loadModelStates } from '../models/model-states.js';
import {
  type Finding,
  createOkFinding,
  createProblemFinding,
  runCheckOrReportProblem,
  createWarningFinding,
} from './finding.js';

const ENGINE_ADVICE = 'Follow this message, or choose another ENGINE.';

export async function runSpeechChecks(
  config: Config,
  aligner = new PocketsphinxAligner(),
  providerFolders: ProviderLookupOptions = {},
): Promise<Finding[]> {
  let choice: EngineChoice | undefined;
  const engine = await runCheckOrReportProblem('engine', ENGINE_ADVICE, async () => {
    choice = await chooseEngineForInstallation({ ...resolveEngineChoiceSettings(config), providerFolders });
    return checkEngine(choice, config);
  });
  return [
    engine,
    ...(choice ? [describeConcurrentChunks(choice)] : []),
    // Only the choice of a recogniser of sherpa can fail.
    ...describeProvider(choice?.engine ?? 'sherpa', config, providerFolders),
    await runCheckOrReportProblem('models', 'Check MODELS_DIR.', () => checkModels(config)),
    ...(await checkAlignment(choice?.engine ?? config.speech.engine, aligner)),
    await checkVocabulary(),
  ];
}

async function checkEngine(choice: EngineChoice, config: Config): Promise<Finding> {
  const engine = createEngine(choice, config.speech);
  try {
    await engine.check();
    const { name, model } = await engine.identity();
    const problems = choice.unusable.map((each) => `; not ${each.name}: ${each.problem}`).join('');
    const detail = `${name}, model ${model ?? 'unknown'} (${choice.reason}${problems})`;
    return {
      ...createOkFinding('engine', detail),
      advice: choice.improvement && formatImprovement(choice.improvement),
    };
  } finally {
    await engine.close();
  }
}

function describeConcurrentChunks({ concurrentChunks }: EngineChoice): Finding {
  const { count, reason, exceedsMemory } = concurrentChunks;
  const detail = `${count} at a time: ${reason}`;
  return exceedsMemory
    ? createWarningFinding(
        'chunks',
        detail,
        'Lower CHUNK_CONCURRENCY, choose a smaller model, or add memory.',
      )
    : createOkFinding('chunks', detail);
}

/** Nothing on machines without devices that do not use any. */
function describeProvider(
  engine: EngineChoice['engine'],
  { speech: { sherpaProvider: wanted } }: Config,
  folders: ProviderLookupOptions,
): Finding[] {
  if (engine !== 'sherpa') {
    if (wanted === 'cpu') return [];
    const detail = `SHERPA_PROVIDER=${wanted} has no effect on the engine ${engine}`;
    return [createWarningFinding('provider', detail, 'Set ENGINE=sherpa, or unset SHERPA_PROVIDER.')];
  }
  const probed = probeExecutionProvider(wanted, folders);
  if (probed.missing.length > 0) {
    const { problems, advice } = formatExecutionProviderProblemsAndAdvice(probed);
    return [createProblemFinding('provider', `${wanted}: ${problems}`, advice)];
  }
  const cards = listNvidiaDeviceFileNames(folders.devices);
  if (wanted === 'cpu')
    return cards.length === 0
      ? []
      : [createOkFinding('provider', `cpu; ${cards.join(', ')} not used (docs/speech/sherpa.md#gpus)`)];
  const devices = wanted === 'cuda' ? ` on ${cards.join(', ')}` : '';
  return [createOkFinding('provider', `${wanted}${devices}; nothing is missing`)];
}

/** Compares the sizes of files, not their checksums. */
async function checkModels(config: Config): Promise<Finding> {
  const folder = resolveModelsFolder(config);
  const catalogue = await loadCatalogue(config.speech.modelsCatalogue);
  const states = await loadModelStates(folder, catalogue);
  const broken = states.filter((state) => state.broken !== null);
  if (broken.length > 0) {
    const [first] = broken;
    return createProblemFinding('models', first?.broken ?? '', 'Run `models verify`.');
  }
  const models = states.filter(({ installed }) => installed);
  const results = await Promise.all(models.map(async ({ name }) => describeModel(folder, name)));
  return createOkFinding(
    'models',
    results.length === 0 ? `none in ${folder}` : `in ${folder}: ${results.join('; ')}`,
  );
}

async function describeModel(folder: string, name: string): Promise<string> {
  const check = await readModelCheck(join(folder, name));
  if (!check) return `${name} (not checked)`;
  const figures = check.problem ?? (formatModelCheckFigures(check) || 'works');
  return `${name} (${figures})`;
}

/** Other engines use the programs of pocketsphinx for custom terms and missing word times. */
async function checkAlignment(
  engine: EngineChoice['engine'] | 'auto',
  aligner: PocketsphinxAligner,
): Promise<Finding[]> {
  if (engine === 'pocketsphinx') return [];
  const consequence = 'word times and custom terms are not aligned with the audio (English)';
  return [
    await aligner.check().then(
      () => createOkFinding('word times', 'word times and custom terms are aligned with the audio (English)'),
      (error: unknown) => createWarningFinding('word times', consequence, describeError(error)),
    ),
  ];
}

/** Every engine needs these programs for custom terms. */
async function checkVocabulary(): Promise<Finding> {
  const missing = await findMissingG2pPrograms();
  if (missing.length === 0) return createOkFinding('vocabulary', 'pronunciations of new words are generated');
  const names = missing.map(({ name }) => name).join(', ');
  const advice = missing.map(({ install }) => install).join(' ');
  return createWarningFinding('vocabulary', `missing: ${names}; fewer custom terms are recognised`, advice);
}
