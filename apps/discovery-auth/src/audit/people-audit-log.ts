import { Inject, Injectable } from '@nestjs/common';
import {
  auditedReason,
  AuditedEditor,
  type Auditor,
  type PeopleAudit,
  type PeopleEditor,
} from '@ringdown/directory/editing';
import { errorReason } from '@ringdown/errors';
import { LOGGER, type Logger } from '@ringdown/observability';

/** One line of the log for each change of people, by any means: command, HTTP, single sign-on. */
@Injectable()
export class PeopleAuditLog {
  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  record(audit: PeopleAudit): void {
    this.logger.info({ audit }, 'people audit');
  }

  /** Runs a change that no editor makes, and records whether it worked. */
  async recordResult(change: Omit<PeopleAudit, 'result' | 'reason'>, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.record({ ...change, result: 'rejected', reason: auditedReason(errorReason(error)) });
      throw error;
    }
    this.record({ ...change, result: 'done' });
  }

  /** The editor, with a line for each change of this person. */
  audited(editor: PeopleEditor, auditor: Auditor): PeopleEditor {
    return new AuditedEditor(editor, auditor, (audit) => this.record(audit));
  }
}
