import { Module, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '@ringdown/observability';
import { ContextModule } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { Captures } from './captures.js';

@Module({
  imports: [ContextModule],
  providers: [{ provide: Captures, inject: [SETTINGS, LOGGER], useFactory: capturesWith }],
  exports: [Captures],
})
export class CapturesModule implements OnModuleDestroy {
  constructor(private readonly captures: Captures) {}

  onModuleDestroy(): Promise<void> {
    return this.captures.close();
  }
}

function capturesWith(settings: Settings, logger: Logger): Captures {
  return new Captures({
    maxBytes: settings.captureMaxBytes,
    atOnce: settings.capturesAtOnce,
    seconds: settings.captureSeconds,
    memoryMb: settings.captureMemoryMb,
    collector: settings.captureCollector,
    logger,
  });
}
