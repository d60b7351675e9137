import { Controller, Get, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '@app/auth';
import { HealthCheck, type HealthCheckResult, HealthCheckService } from '@nestjs/terminus';
import { DependencyHealth } from './dependency-health.js';

@Public()
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    @Inject(HealthCheckService) private readonly health: HealthCheckService,
    @Inject(DependencyHealth) private readonly dependencies: DependencyHealth,
  ) {}

  /** The process turns; says nothing of what it depends on. */
  @Get('live')
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 when every dependency answers, else 503; each one is named either way. */
  @Get('ready')
  @HealthCheck()
  async ready(): Promise<HealthCheckResult> {
    return this.health.check(this.dependencies.checks());
  }
}
