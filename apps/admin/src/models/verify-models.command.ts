import { join } from 'node:path';
import { loadConfig, resolveModelsFolder } from '@app/config';
import { type ManifestFile, listModelFolders, readManifest } from '@app/speech';
import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { sha256File } from './sha256-file.js';
import { loadModelState } from './model-states.js';

interface VerificationResult {
  name: string;
  /** Null when every byte is the one that was installed. */
  problem: string | null;
}

@SubCommand({
  name: 'verify',
  arguments: '[names...]',
  description: 'check installed models against their checksums',
})
export class VerifyModelsCommand extends JsonCommand {
  /** Exit code 1 when one is broken. */
  async run(names: string[], options: JsonOption): Promise<void> {
    const folder = resolveModelsFolder(loadConfig());
    const verdicts: VerificationResult[] = [];
    for (const name of names.length > 0 ? names : await listModelFolders(folder)) {
      const state = await loadModelState(folder, name);
      if (state.installed || state.broken !== null)
        verdicts.push({ name, problem: state.broken ?? (await findCorruption(join(folder, name))) });
      else if (names.length > 0) throw new CommandError(`The model ${name} is not installed in ${folder}.`);
    }
    printResult(
      options,
      verdicts,
      () => verdicts.map(formatResult).join('\n') || `No model is installed in ${folder}.`,
    );
    if (verdicts.some(({ problem }) => problem !== null)) process.exitCode = 1;
  }
}

async function findCorruption(folder: string): Promise<string | null> {
  const manifest = await readManifest(folder);
  const wrong: ManifestFile[] = [];
  for (const file of manifest?.files ?? [])
    if ((await sha256File(join(folder, file.path))) !== file.sha256) wrong.push(file);
  if (wrong.length === 0) return null;
  return `Other bytes than were installed in ${wrong.map(({ path }) => path).join(', ')}: remove the model and pull it again.`;
}

function formatResult({ name, problem }: VerificationResult): string {
  return problem === null ? `${name} is whole.` : `${name} is BROKEN. ${problem}`;
}
