import { Controller, Get, Header, Inject } from '@nestjs/common';
import { Public } from '@app/auth';
import type { Registry } from 'prom-client';

export const METRICS = Symbol('METRICS');

@Public()
@Controller('metrics')
export class MetricsController {
  constructor(@Inject(METRICS) private readonly registry: Registry) {}

  /** Prometheus text format. */
  @Get()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  async metrics(): Promise<string> {
    return this.registry.metrics();
  }
}
