import { join } from 'node:path';
import { loadConfig, modelsFolder } from '@app/config';
import { type ManifestFile, listModelFolders, readManifest } from '@app/speech';
import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { hashFile } from './hash-file.js';
import { stateOf } from './model-states.js';

interface Verdict {
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
    const folder = modelsFolder(loadConfig());
    const verdicts: Verdict[] = [];
    for (const name of names.length > 0 ? names : await listModelFolders(folder)) {
      const state = await stateOf(folder, name);
      if (state.installed || state.broken !== null)
        verdicts.push({ name, problem: state.broken ?? (await wrongBytes(join(folder, name))) });
      else if (names.length > 0) throw new CommandRefused(`The model ${name} is not installed in ${folder}.`);
    }
    print(options, verdicts, () => verdicts.map(line).join('\n') || `No model is installed in ${folder}.`);
    if (verdicts.some(({ problem }) => problem !== null)) process.exitCode = 1;
  }
}

async function wrongBytes(folder: string): Promise<string | null> {
  const manifest = await readManifest(folder);
  const wrong: ManifestFile[] = [];
  for (const file of manifest?.files ?? [])
    if ((await hashFile(join(folder, file.path))) !== file.sha256) wrong.push(file);
  if (wrong.length === 0) return null;
  return `Other bytes than were installed in ${wrong.map(({ path }) => path).join(', ')}: remove the model and pull it again.`;
}

function line({ name, problem }: Verdict): string {
  return problem === null ? `${name} is whole.` : `${name} is BROKEN. ${problem}`;
}
