import { Module, Optional, type OnModuleDestroy } from '@nestjs/common';
import { Bus } from '@ringdown/nats';
import { LOGGER, type Logger } from '@ringdown/observability';
import { provideClass } from '@ringdown/service';
import { ContextModule, fromSettings } from '../context.module.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { deleteLeftFolders } from './capture-folder.js';
import { assertCaptureFiles } from './capture-files.js';
import { CaptureReports } from './capture-reports.js';
import { Captures } from './captures.js';
import { PinnedCertificates } from './pinned-certificates.js';
import { UploadTickets } from './upload-tickets.js';

@Module({
  imports: [ContextModule],
  providers: [
    // Without a seed, the replicas still share the URL of their database, including its password.
    provideClass(
      UploadTickets,
      fromSettings(({ identitySeed, databaseUrl }) => identitySeed ?? databaseUrl),
    ),
    { provide: PinnedCertificates, inject: [SETTINGS, LOGGER], useFactory: pinnedWith },
    {
      provide: Captures,
      inject: [SETTINGS, LOGGER, Bus, UploadTickets, { token: PinnedCertificates, optional: true }],
      useFactory: capturesWith,
    },
  ],
  exports: [Captures, UploadTickets],
})
export class CapturesModule implements OnModuleDestroy {
  constructor(
    private readonly captures: Captures,
    @Optional() private readonly pinned?: PinnedCertificates,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.pinned?.close();
    await this.captures.close();
  }
}

type Pinned = PinnedCertificates | undefined;

function pinnedWith({ capturePinnedCertificate: file }: Settings, logger: Logger): Pinned {
  return file === undefined ? undefined : new PinnedCertificates(file, logger);
}

async function capturesWith(
  settings: Settings,
  logger: Logger,
  bus: Bus,
  tickets: UploadTickets,
  pinned: Pinned,
): Promise<Captures> {
  assertCaptureFiles(settings);
  const options = {
    maxBytes: settings.captureMaxBytes,
    atOnce: settings.capturesAtOnce,
    seconds: settings.captureSeconds,
    memoryMb: settings.captureMemoryMb,
    collector: settings.captureCollector,
    caFile: settings.captureCaFile,
    pinned,
    tickets,
    logger,
  };
  await deleteLeftFolders().catch((error: unknown) =>
    logger.warn({ err: error }, 'could not delete captures of an earlier process'),
  );
  return new Captures(options, await CaptureReports.open(bus));
}
