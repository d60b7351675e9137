import { Controller, Get, Header, Inject } from '@nestjs/common';
import { SkipApiKeyGuard } from '@app/auth';
import type { Registry } from 'prom-client';
import { SingleFlightCache } from './single-flight-cache.js';

export const METRICS_REGISTRY_TOKEN = Symbol('METRICS');

@SkipApiKeyGuard()
@Controller('metrics')
export class MetricsController {
  private readonly text: SingleFlightCache<string>;

  constructor(@Inject(METRICS_REGISTRY_TOKEN) registry: Registry) {
    this.text = new SingleFlightCache(() => registry.metrics(), 0);
  }

  @Get()
  @Header('content-type', 'text/plain; version=0.0.4; charset=utf-8')
  metrics(): Promise<string> {
    return this.text.get();
  }
}
