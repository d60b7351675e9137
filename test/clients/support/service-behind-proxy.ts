import { TranscriptionServer } from '../../e2e/support/transcription-server.js';
import type { Environment } from '../../e2e/support/program.js';
import { Service } from '../../e2e/support/service.js';
import { PublicProxy } from './public-proxy.js';

/** A service whose public address is that of a proxy, with an engine that answers at once. */
export class ServiceBehindProxy {
  private constructor(
    readonly proxy: PublicProxy,
    readonly service: Service,
    private readonly engine: TranscriptionServer,
  ) {}

  /** @param settings of the service, besides its public address and its engine */
  static async start(settings: Environment = {}): Promise<ServiceBehindProxy> {
    const [engine, proxy] = await Promise.all([TranscriptionServer.start(), PublicProxy.start()]);
    try {
      const service = await Service.start({
        ...{ PUBLIC_URL: proxy.url, ENGINE: 'openai', OPENAI_BASE_URL: engine.baseUrl },
        ...settings,
      });
      proxy.forwardTo(service.port);
      return new ServiceBehindProxy(proxy, service, engine);
    } catch (error) {
      await Promise.all([proxy.stop(), engine.stop()]);
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await Promise.all([this.proxy.stop(), this.engine.stop()]);
  }
}
