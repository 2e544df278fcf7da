import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CoalescedTask } from '@ringdown/concurrency';
import { DIRECTORY, type Directory, type PersonEntry } from '@ringdown/directory';
import { auditedDifferences } from '@ringdown/directory/editing';
import { readPeopleFile } from '@ringdown/directory/people-file';
import { errorReason } from '@ringdown/errors';
import { LOGGER, type Logger } from '@ringdown/observability';
import { hostname } from 'node:os';
import { SETTINGS, type Settings } from '../settings.js';
import { PeopleAuditLog } from './people-audit-log.js';

/** Records changes of PEOPLE_FILE, which editors and commands make without this service: what, but not who. */
@Injectable()
export class PeopleFileAudit implements OnApplicationBootstrap, OnApplicationShutdown {
  private before: readonly PersonEntry[] = [];
  private readonly comparing = new CoalescedTask(() => this.compare());
  private unsubscribe = (): void => undefined;

  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(DIRECTORY) private readonly directory: Directory,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly log: PeopleAuditLog,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { peopleFile } = this.settings;
    if (peopleFile === undefined) return;
    this.before = await readPeopleFile(peopleFile);
    this.unsubscribe = this.directory.onChange(() => void this.comparing.run());
  }

  onApplicationShutdown(): void {
    this.unsubscribe();
  }

  private async compare(): Promise<void> {
    const { peopleFile = '' } = this.settings;
    try {
      const after = await readPeopleFile(peopleFile);
      const by = { by: 'people-file', from: hostname(), result: 'done' } as const;
      for (const difference of auditedDifferences(this.before, after)) this.log.record({ ...difference, ...by });
      this.before = after;
    } catch (error) {
      // It was changed again, and is wrong now: the directory reports it, and the next good state is compared.
      this.logger.debug({ reason: errorReason(error) }, 'could not compare the people file');
    }
  }
}
