import { Controller, Get, HttpStatus, Res, ServiceUnavailableException } from '@nestjs/common';
import { SkipApiKeyGuard } from '@app/auth';
import { HealthCheck, type HealthCheckResult, HealthCheckService } from '@nestjs/terminus';
import { DependencyHealthRegistry } from './dependency-health-registry.js';

@SkipApiKeyGuard()
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly dependencies: DependencyHealthRegistry,
  ) {}

  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 if ready or degraded, else 503; both list every dependency. */
  @Get('ready')
  @HealthCheck({ swaggerDocumentation: false })
  async ready(
    @Res({ passthrough: true }) reply: { status(code: number): unknown },
  ): Promise<HealthCheckResult> {
    try {
      return await this.health.check(this.dependencies.buildHealthIndicators());
    } catch (error) {
      // The body must be the list of dependencies, not a problem document.
      if (!(error instanceof ServiceUnavailableException)) throw error;
      reply.status(HttpStatus.SERVICE_UNAVAILABLE);
      return error.getResponse() as HealthCheckResult;
    }
  }
}
