import { loadConfig, resolveModelsFolder } from '@app/config';

import { Command } from 'nest-commander';
import { assertRootMayWrite } from '../folder-owner.js';
import { OperatorCommand } from '../operator-command.js';
import { type JsonOption, printResult } from '../output.js';
import { checkAuxiliaryModels } from './auxiliary-model-checks.js';
import type { Finding } from './finding.js';
import { runMachineChecks } from './machine-checks.js';
import { runServiceChecks } from './service-checks.js';
import { runSpeechChecks } from './speech-checks.js';

const STATUS_LABELS = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const;

@Command({ name: 'doctor', description: 'check the installation and say how to fix what is wrong' })
export class DoctorCommand extends OperatorCommand {
  /** Exit code 1 when there is a problem; warnings do not count. */
  async run(_: string[], options: JsonOption): Promise<void> {
    const config = loadConfig();
    // Its checks create folders, files and objects.
    await assertRootMayWrite(config.service.dataDir);
    const findings = [
      ...(await Promise.all(runMachineChecks(config))),
      ...(await runSpeechChecks(config)),
      ...(await checkAuxiliaryModels(resolveModelsFolder(config))),
      ...(await runServiceChecks(this.context, config)),
    ];
    printResult(options, findings, () => findings.map(formatFinding).join('\n'));
    if (findings.some(({ status }) => status === 'problem')) process.exitCode = 1;
  }
}

function formatFinding({ name, status, detail, advice }: Finding): string {
  const first = `${STATUS_LABELS[status]}  ${name.padEnd(13)} ${detail}`;
  return advice === null ? first : `${first}\n${' '.repeat(9)}-> ${advice}`;
}
