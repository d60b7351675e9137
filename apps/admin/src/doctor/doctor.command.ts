import { loadConfig, modelsFolder } from '@app/config';

import { Command } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';
import { aidChecks } from './aid-checks.js';
import type { Finding } from './finding.js';
import { machineChecks } from './machine-checks.js';
import { serviceChecks } from './service-checks.js';
import { speechChecks } from './speech-checks.js';

const MARKS = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM' } as const;

@Command({ name: 'doctor', description: 'check the installation and say how to fix what is wrong' })
export class DoctorCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  /** Exit code 1 when there is a problem; warnings do not count. */
  async run(_: string[], options: JsonOption): Promise<void> {
    const config = loadConfig();
    const findings = [
      ...(await Promise.all(machineChecks(config))),
      ...(await speechChecks(config)),
      ...(await aidChecks(modelsFolder(config))),
      ...(await serviceChecks(this.workplace, config)),
    ];
    print(options, findings, () => findings.map(line).join('\n'));
    if (findings.some(({ status }) => status === 'problem')) process.exitCode = 1;
  }
}

function line({ name, status, detail, advice }: Finding): string {
  const first = `${MARKS[status]}  ${name.padEnd(13)} ${detail}`;
  return advice === null ? first : `${first}\n${' '.repeat(9)}-> ${advice}`;
}
