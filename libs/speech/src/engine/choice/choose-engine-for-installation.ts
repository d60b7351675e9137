import { readMachineResources, type MachineResources } from '../../machine/machine-resources.js';
import {
  computeModelMemoryBudgetBytes,
  decideChunkConcurrency,
  formatGigabytes,
} from '../../machine/chunk-concurrency.js';
import type { CatalogueModel } from '../../models/catalogue/catalogue-model.js';
import { loadCatalogue } from '../../models/catalogue/load-catalogue.js';
import type { InstalledModel } from '../../models/installed-model.js';
import { listInstalledModels } from '../../models/installed-models.js';
import {
  CPU_PROVIDER_PROBE_RESULT,
  type ExecutionProvider,
  probeExecutionProvider,
  type ProviderLookupOptions,
  type ExecutionProviderProbeResult,
} from '../../sherpa/provider/probe-execution-provider.js';
import { resolveInstalledRecognizer } from '../sherpa/resolve-installed-recognizer.js';
import type { EngineChoice, EngineImprovement } from './engine-choice.js';
import {
  compareRecognizers,
  readInstalledRecognizerCandidate,
  type InstalledRecognizerCandidate,
} from './installed-recognizer-candidate.js';
import {
  recommendMissingAuxiliaryModels,
  recommendRecognizer,
  sumCatalogueFileBytes,
  toRatedRecognizer,
} from './recommend-models.js';

export interface EngineChoiceSettings {
  engine: EngineChoice['engine'] | 'auto';
  /** Absolute path. */
  modelsDir: string;
  /** File of further models. */
  modelsCatalogue?: string | undefined;
  sherpaModel?: string | undefined;
  /** On CPUs by default. */
  sherpaProvider?: ExecutionProvider;
  /** Where the parts of the provider are sought. */
  providerFolders?: ProviderLookupOptions;
  openaiBaseUrl?: string | undefined;
  speechLanguages: readonly string[];
  /** The operator's number of chunks at a time. */
  chunkConcurrency?: number | undefined;
}

/** What the automatic choice depends on besides the settings. */
export interface AutomaticEngineChoiceInputs {
  candidates: readonly InstalledRecognizerCandidate[];
  models: readonly InstalledModel[];
  catalogue: readonly CatalogueModel[];
  machine: MachineResources;
  /** On CPUs by default. */
  provider?: ExecutionProviderProbeResult;
}

/**
 * Does not check that the engine works (`SpeechEngine.check`), nor that the execution provider is installed.
 * @throws EngineUnavailableError if a recogniser that the settings name is missing; InvalidModelError; InvalidCatalogueError
 */
export async function chooseEngineForInstallation(settings: EngineChoiceSettings): Promise<EngineChoice> {
  const { engine, modelsDir, sherpaModel, openaiBaseUrl, chunkConcurrency } = settings;
  const machine = await readMachineResources();
  const choose = (name: 'pocketsphinx' | 'openai', reason: string, isAutomatic: boolean) => ({
    ...{ engine: name, reason, isAutomatic, ...NOTHING_ELSE },
    concurrentChunks: decideChunkConcurrency(machine, 0, chunkConcurrency),
  });
  if (engine === 'pocketsphinx' || engine === 'openai') return choose(engine, 'ENGINE names it', false);
  if (engine === 'auto' && openaiBaseUrl !== undefined)
    return choose('openai', 'OPENAI_BASE_URL is set', true);
  const provider = probeExecutionProvider(settings.sherpaProvider ?? 'cpu', settings.providerFolders);
  const catalogue = await loadCatalogue(settings.modelsCatalogue);
  if (engine === 'sherpa' || sherpaModel !== undefined) {
    const recognizer = await resolveInstalledRecognizer(modelsDir, sherpaModel);
    const { copyBytes } = await readInstalledRecognizerCandidate(recognizer, modelsDir, catalogue);
    const reason = sherpaModel === undefined ? 'ENGINE names its engine' : 'SHERPA_MODEL names it';
    const concurrentChunks = decideChunkConcurrency(
      machine,
      copyBytes,
      chunkConcurrency,
      provider.devices.length,
    );
    return {
      ...{ engine: 'sherpa', recognizer, reason, isAutomatic: false, ...NOTHING_FOUND },
      ...{ concurrentChunks, provider },
    };
  }
  const models = await listInstalledModels(modelsDir);
  const recognizers = models.filter(({ kind }) => kind === 'recognizer');
  const candidates = await Promise.all(
    recognizers.map((model) => readInstalledRecognizerCandidate(model, modelsDir, catalogue)),
  );
  return chooseEngineAutomatically(settings, { candidates, models, catalogue, machine, provider });
}

const NOTHING_FOUND = { unusable: [], improvement: null };
const NOTHING_ELSE = { recognizer: null, provider: CPU_PROVIDER_PROBE_RESULT, ...NOTHING_FOUND };

/** Chooses from the installed recognisers; pocketsphinx if none can be used. */
export function chooseEngineAutomatically(
  { speechLanguages, chunkConcurrency }: Pick<EngineChoiceSettings, 'speechLanguages' | 'chunkConcurrency'>,
  {
    candidates,
    models,
    catalogue,
    machine,
    provider = CPU_PROVIDER_PROBE_RESULT,
  }: AutomaticEngineChoiceInputs,
): EngineChoice {
  const judged = candidates.map((candidate) => ({ ...candidate, problem: findProblem(candidate, machine) }));
  const sorted = judged.toSorted((a, b) =>
    compareRecognizers({ ...a, ...a.model }, { ...b, ...b.model }, speechLanguages),
  );
  const chosen = sorted.find(({ problem }) => problem === null);
  const unusable = sorted.flatMap(({ model, problem }) =>
    problem === null ? [] : [{ name: model.name, problem }],
  );
  const excluded = judged.flatMap(({ model, check }) => (check?.problem == null ? [] : [model.name]));
  const recommendation = recommendRecognizer({
    catalogue,
    installed: models,
    excluded,
    languages: speechLanguages,
    machine,
  });
  const isBetter = (rated: { languages: string[] | 'any'; rank: number }) =>
    !chosen || compareRecognizers(rated, { ...chosen, ...chosen.model }, speechLanguages) < 0;
  const unchecked = sorted.find(({ check, model, rank }) => check === null && isBetter({ ...model, rank }));
  const improvement = unchecked
    ? adviseCheck(unchecked.model.name, catalogue)
    : recommendation && isBetter(toRatedRecognizer(recommendation))
      ? advisePull(recommendation, recommendMissingAuxiliaryModels({ catalogue, installed: models }))
      : null;
  return {
    engine: chosen ? 'sherpa' : 'pocketsphinx',
    recognizer: chosen?.model ?? null,
    isAutomatic: true,
    reason: chosen
      ? candidates.length === 1
        ? 'the only installed recogniser'
        : 'the best of the installed recognisers'
      : candidates.length === 0
        ? 'no other recogniser is installed'
        : 'no other installed recogniser can be used',
    unusable,
    improvement,
    concurrentChunks: decideChunkConcurrency(
      machine,
      chosen?.copyBytes ?? 0,
      chunkConcurrency,
      chosen ? provider.devices.length : 0,
    ),
    provider: chosen ? provider : CPU_PROVIDER_PROBE_RESULT,
  };
}

function findProblem(
  { check, copyBytes }: InstalledRecognizerCandidate,
  machine: MachineResources,
): string | null {
  if (check === null) return 'it was not checked';
  if (check.problem !== null) return check.problem;
  const available = computeModelMemoryBudgetBytes(machine);
  return copyBytes <= available
    ? null
    : `it needs ${formatGigabytes(copyBytes)} of memory, and ${formatGigabytes(available)} are available to models`;
}

function adviseCheck(name: string, catalogue: readonly CatalogueModel[]): EngineImprovement {
  return {
    detail: `${name} is installed but was not checked`,
    command: `npm run admin -- models check ${name}`,
    models: catalogue.filter((model) => model.name === name),
  };
}

function advisePull(recognizer: CatalogueModel, auxiliary: readonly CatalogueModel[]): EngineImprovement {
  const models = [recognizer, ...auxiliary];
  const megabytes = Math.round(models.reduce((sum, model) => sum + sumCatalogueFileBytes(model), 0) / 1e6);
  const names = models.map(({ name }) => name).join(' ');
  return {
    detail: `${recognizer.name} (${megabytes} MB to download) recognises more`,
    command: `npm run admin -- models pull ${names}`,
    models,
  };
}
