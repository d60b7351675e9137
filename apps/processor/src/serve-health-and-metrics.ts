import type { Config } from '@app/config';
import { withReadableListenErrors, resolveHealthHostAndSetting } from '@app/runtime';
import type { INestApplication } from '@nestjs/common';

/** Starts the app: without PROCESSOR_PORT it serves nothing. @throws Error that names the setting to change */
export async function startAndServeHealthAndMetrics(app: INestApplication, config: Config): Promise<void> {
  const port = config.api.processorPort;
  const from = resolveHealthHostAndSetting(config);
  await (port === undefined
    ? app.init()
    : withReadableListenErrors({ port, portSetting: 'PROCESSOR_PORT', ...from }, () =>
        app.listen(port, from.host),
      ));
}
