import { Command, CommandRunner } from 'nest-commander';
import { ApiAndProcessorRunner } from './api-and-processor-runner.js';

@Command({
  name: 'start',
  description: 'run the whole service on this machine: API, processor, and Postgres if it is embedded',
})
export class StartCommand extends CommandRunner {
  async run(): Promise<void> {
    process.exitCode = await ApiAndProcessorRunner.run();
  }
}
