import { Module } from '@nestjs/common';
import { ContextModule } from '../context.module.js';
import { PeopleAuditController } from './people-audit.controller.js';
import { PeopleAuditLog } from './people-audit-log.js';
import { PeopleFileAudit } from './people-file-audit.js';

@Module({
  imports: [ContextModule],
  controllers: [PeopleAuditController],
  providers: [PeopleAuditLog, PeopleFileAudit],
  exports: [PeopleAuditLog],
})
export class AuditModule {}
