import { AuthenticationError, UnauthenticatedClient } from 'zephyr-client';
import { type Command, printJson, printSanitizedLine } from '../command.js';
import { findConfigPath, parseServerUrl, resolveServerUrl } from '../config.js';
import { CommandError, describeError, EXIT_CODE_BY_NAME, NotSignedInError, UsageError } from '../errors.js';

const TIMEOUT_MS = 10_000;
const MAX_CLOCK_DIFFERENCE_MS = 60_000;
const VERSION_OF_INTERFACE = '1.';

interface Check {
  name: string;
  run(): Promise<string>;
}

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check the settings, the service and the key',
  usage: '',
  description: 'Makes no job and costs no credits.',
  options: { json: { type: 'boolean', help: 'print a line of JSON for each check' } },
  async run(context, positionals, options) {
    if (positionals.length > 0) throw new UsageError('doctor takes no arguments.');
    const server = await resolveServerUrl(context, options);
    const service = new UnauthenticatedClient({
      baseUrl: parseServerUrl(server),
      maxRetries: 0,
      timeoutMs: TIMEOUT_MS,
    });
    const describeService = () => service.describeService({ signal: context.signal });
    const checks: Check[] = [
      {
        name: 'settings',
        run: () =>
          Promise.resolve(
            `${server}, ${findConfigPath(context) ?? 'no home folder'}, Node ${process.versions.node}`,
          ),
      },
      {
        name: 'service',
        run: async () => {
          const { interfaceVersion, packageVersion } = await describeService();
          if (!interfaceVersion.startsWith(VERSION_OF_INTERFACE))
            throw new CommandError(`The interface has version ${interfaceVersion}; this program knows 1.`);
          return `zephyr ${packageVersion ?? '(unknown version)'}, interface ${interfaceVersion}`;
        },
      },
      {
        name: 'clock',
        run: async () => {
          const { date } = await describeService();
          const difference = Math.abs(Date.now() - date.getTime());
          if (difference > MAX_CLOCK_DIFFERENCE_MS)
            throw new CommandError(
              `This machine and the service differ by ${Math.round(difference / 1000)} s. Set the clock.`,
            );
          return 'agrees with the service';
        },
      },
      {
        name: 'key',
        run: async () => {
          const client = await context.connect(options);
          const { name, api_key: key, credits } = await client.account({ signal: context.signal });
          if (credits.per_second > 0 && credits.balance === 0)
            throw new CommandError(`${name} has no credits left.`);
          return `${key.name} of ${name}, ${credits.balance} credits`;
        },
      },
    ];
    let code: number = EXIT_CODE_BY_NAME.ok;
    for (const { name, run } of checks) {
      const [ok, detail] = await run().then(
        (text) => [true, text] as const,
        (error: unknown) => {
          const isKey = error instanceof NotSignedInError || error instanceof AuthenticationError;
          code =
            isKey && code === EXIT_CODE_BY_NAME.ok ? EXIT_CODE_BY_NAME.notSignedIn : EXIT_CODE_BY_NAME.failed;
          return [false, describeError(error, context.env).replaceAll('\n', ' ')] as const;
        },
      );
      context.signal.throwIfAborted();
      if (options['json'] === true) printJson(context, { check: name, ok, detail });
      else printSanitizedLine(context.stdout, `${ok ? 'ok  ' : 'FAIL'} ${name}: ${detail}`);
      if (!ok && name === 'service') break;
    }
    return code;
  },
};
