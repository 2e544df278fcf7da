import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { PEOPLE_AUDIT_PATTERN } from '@ringdown/contracts/people';
import { parsePeopleAudit } from '@ringdown/directory/editing';
import { DISCOVERY_AUTH } from '../transport.js';
import { PeopleAuditLog } from './people-audit-log.js';

/** Logs the changes of commands, whose own output is not kept. */
@Controller()
export class PeopleAuditController {
  constructor(private readonly log: PeopleAuditLog) {}

  @MessagePattern(PEOPLE_AUDIT_PATTERN, DISCOVERY_AUTH)
  record(@Payload() message: unknown): object {
    const audit = parsePeopleAudit(message);
    if (audit === undefined) throw new Error('not a change of people');
    this.log.record(audit);
    return {};
  }
}
