import { type DynamicModule, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import type { Registry } from 'prom-client';
import { DependencyHealth } from './dependency-health.js';
import { DependencyMetrics } from './dependency-metrics.js';
import { DependencyOutages } from '../log/dependency-outages.js';
import { HealthController } from './health.controller.js';
import { METRICS, MetricsController } from './metrics.controller.js';
import { SchemaWatch } from './schema-watch.js';

/** `/health/live`, `/health/ready` and `/metrics`, the same in every program that listens. */
@Module({})
export class HealthModule {
  static forRoot(metrics: Registry): DynamicModule {
    return {
      module: HealthModule,
      global: true,
      imports: [TerminusModule.forRoot({ logger: false, errorLogStyle: 'json' })],
      controllers: [HealthController, MetricsController],
      providers: [
        DependencyHealth,
        DependencyMetrics,
        DependencyOutages,
        SchemaWatch,
        { provide: METRICS, useValue: metrics },
      ],
      exports: [DependencyHealth, DependencyOutages],
    };
  }
}
