import { Controller, Get, HttpStatus, Res, ServiceUnavailableException } from '@nestjs/common';
import { Public } from '@app/auth';
import { HealthCheck, type HealthCheckResult, HealthCheckService } from '@nestjs/terminus';
import { DependencyHealth } from './dependency-health.js';

/** Described where the interface is, in the API. */
@Public()
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly dependencies: DependencyHealth,
  ) {}

  /** The process turns; says nothing of what it depends on. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 when the program is ready, degraded or not, else 503; every dependency is named either way. */
  @Get('ready')
  @HealthCheck({ swaggerDocumentation: false })
  async ready(
    @Res({ passthrough: true }) reply: { status(code: number): unknown },
  ): Promise<HealthCheckResult> {
    try {
      return await this.health.check(this.dependencies.healthIndicators());
    } catch (error) {
      // The findings are the answer, not an error that a program's own filter may render.
      if (!(error instanceof ServiceUnavailableException)) throw error;
      reply.status(HttpStatus.SERVICE_UNAVAILABLE);
      return error.getResponse() as HealthCheckResult;
    }
  }
}
