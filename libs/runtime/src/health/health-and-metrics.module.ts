import { type DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import type { Registry } from 'prom-client';
import type { BootContext } from '../boot/boot.js';
import { MetricsExport } from '../metrics/metrics-export.js';
import { DependencyHealthRegistry, DependencyMetrics } from './dependency-health-registry.js';
import { DependencyOutageLog } from '../log/dependency-outage-log.js';
import { HealthController } from './health.controller.js';
import { METRICS_REGISTRY_TOKEN, MetricsController } from './metrics.controller.js';
import { SchemaVersionMismatchReporter } from './schema-version-mismatch-reporter.js';

/** `/health/live`, `/health/ready` and `/metrics`. */
@Module({})
export class HealthAndMetricsModule {
  static forRoot(
    metrics: Registry,
    { program, config }: Pick<BootContext, 'program' | 'config'>,
  ): DynamicModule {
    return {
      module: HealthAndMetricsModule,
      global: true,
      imports: [TerminusModule.forRoot({ logger: false, errorLogStyle: 'json' })],
      controllers: [HealthController, MetricsController],
      providers: [
        DependencyHealthRegistry,
        DependencyMetrics,
        DependencyOutageLog,
        SchemaVersionMismatchReporter,
        { provide: METRICS_REGISTRY_TOKEN, useValue: metrics },
        {
          provide: MetricsExport,
          useFactory: () => MetricsExport.start(metrics, config.tracing, program),
        },
      ],
      exports: [DependencyHealthRegistry, DependencyOutageLog],
    };
  }
}
